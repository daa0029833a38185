"""What an ``if`` asks.

In: an ``if``. Out: the comparison of two numbers that decides it. In: an operation. Out: which
comparisons have decided that it is done, with ``and``, ``or`` and ``not``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from staticpy.ir import Block, BlockArgument, Operation, Value
from staticpy.ops import REGISTRY, constant_value, for_, if_

_ORDERS = ("<", "<=", ">", ">=")
_SYMBOLS = {name: op.symbol for name, op in REGISTRY.items() if op.symbol in _ORDERS}


def order_asked(branch: Operation) -> tuple[Operation, str] | None:
    """The comparison by which an ``if`` goes to its sides, and one of ``<``, ``<=``, ``>`` and
    ``>=``; None if something else decides.
    """
    made = branch.operands[0].defining_op
    if made is not None and made.op.name == "truth":
        made = made.operands[0].defining_op
    symbol = None if made is None else order_of(made)
    return None if made is None or symbol is None else (made, symbol)


def known_outcomes(operation: Operation, outermost: Block) -> Iterator[tuple[Operation, bool]]:
    """What has decided, and how, that an operation is done, of the branches around it within a
    block.
    """
    known: dict[Value, bool] = {}
    block = operation.block
    while block is not None and block is not outermost:
        around = block.parent
        assert around is not None
        if around.op is if_:
            known[around.operands[0]] = block is around.regions[0].block
        block = around.block
    pending = list(known)
    while pending:
        value = pending.pop()
        for other, truth in _implied(value, known):
            if other not in known:
                known[other] = truth
                pending = list(known)
    for value, truth in known.items():
        if value.defining_op is not None:
            yield value.defining_op, truth


def _implied(value: Value, known: Mapping[Value, bool]) -> Iterator[tuple[Value, bool]]:
    """What else is true or false since a value is; of ``a and b``, and of ``a or b``."""
    made, truth = value.defining_op, known[value]
    if made is not None and made.op.name in ("truth", "py.not"):
        yield made.operands[0], truth == (made.op.name == "truth")
    if made is None or made.op is not if_:
        return
    place, first = made.results.index(value), made.operands[0]
    then, otherwise = (region.block.terminator.operands[place] for region in made.regions)
    for second, end, is_and in ((then, otherwise, True), (otherwise, then, False)):
        if constant_value(end) is not (not is_and):
            continue
        if truth is is_and:
            yield first, is_and
            yield second, is_and
        elif known.get(first) is is_and:
            yield second, not is_and
        elif known.get(second) is is_and:
            yield first, not is_and


def order_of(comparison: Operation) -> str | None:
    """Which of ``<``, ``<=``, ``>`` and ``>=`` it is."""
    return _SYMBOLS.get(comparison.op.name)


def not_the_first(comparison: Operation, truth: bool) -> tuple[Value, int] | None:
    """The index of a loop that begins with a known number and goes up, and that number, where a
    comparison says that it is another one: ``if i != 0: ...``.
    """
    if comparison.op.name not in ("py.eq", "py.ne") or truth == (comparison.op.name == "py.eq"):
        return None
    left, right = comparison.operands
    for index, other in ((left, right), (right, left)):
        first = constant_value(other)
        if type(first) is int and _begins_with(index, first):
            return index, first
    return None


def _begins_with(index: Value, first: int) -> bool:
    if not isinstance(index, BlockArgument):
        return False
    loop = index.block.parent
    if loop is None or loop.op is not for_ or index is not index.block.args[0]:
        return False
    start, step = (constant_value(loop.operands[place]) for place in (0, 2))
    return start == first and isinstance(step, int) and step > 0
