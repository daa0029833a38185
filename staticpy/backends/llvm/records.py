"""The largest number so far, or the smallest, that a loop keeps.

    if value > best:
        best, where = value, i

In: an ``if``, which may ask for more than that (``and``). Out: its side that is taken when there is
a better one. After n numbers that is once in n rounds, which a processor foresees: a branch lets
the next rounds begin before the numbers are compared, where a choice without a flag for a NaN
(``choices``) would have each wait for the one before.
"""

from __future__ import annotations

from staticpy.backends.llvm.conditions import order_asked, order_of
from staticpy.backends.llvm.short_loops import is_short
from staticpy.ir import FLOAT, BlockArgument, Operation, ScalarType, Type, Value, walk
from staticpy.ops import index
from staticpy.passes import conjuncts

RARE, OFTEN = 1, 1 << 20
"""How often a branch goes to its sides."""


def side_of_records(operation: Operation) -> int | None:
    """Which side of an ``if`` is taken for a better number, a float; None if it is no such ``if``.

    The comparison is one of that number and the best one before, which a loop carries to its next
    round where the other side yields it.
    """
    asked = order_asked(operation)
    if asked is not None:
        return next((side for side in (0, 1) if _is_better(operation, asked[0], side)), None)
    found = (each.defining_op for each in conjuncts(operation.operands[0]))
    orders = [each for each in found if each is not None and order_of(each) is not None]
    return 0 if any(_is_better(operation, each, 0) for each in orders) else None


def _is_better(operation: Operation, compared: Operation, side: int) -> bool:
    """Whether a ``side`` of an ``if`` yields what has been compared with the best one before."""
    if not all(_is_float(value.type) for value in compared.operands):
        return False
    yielded = [region.block.terminator.operands for region in operation.regions]
    for result, *given in zip(operation.results, *yielded, strict=True):
        new, old = given[side], given[1 - side]
        others = [each for each in compared.operands if not _is_same(each, new)]
        if len(others) == 1 and is_made_of(others[0], old) and _is_carried(old, result):
            return True
    return False


def _is_same(one: Value, other: Value) -> bool:
    """Whether two values are one, or an element read twice."""
    made, again = one.defining_op, other.defining_op
    if one is other or made is None or again is None:
        return one is other
    is_read = made.op is again.op is index
    return is_read and (made.operands, made.attrs) == (again.operands, again.attrs)


def _is_float(type_: Type) -> bool:
    return type_ == FLOAT or (isinstance(type_, ScalarType) and type_.dtype.kind == "f")


def _is_carried(argument: Value, result: Value) -> bool:
    """Whether a loop goes on with ``result`` where it had ``argument``: one of more than a few
    rounds, of which most have nothing better.
    """
    if not isinstance(argument, BlockArgument):
        return False
    loop = argument.block.parent
    is_long = loop is not None and not is_short(loop)
    return is_long and result in argument.block.terminator.operands


def is_made_of(value: Value, argument: Value) -> bool:
    """Whether a value is ``argument``, or that as one of its types."""
    made = value.defining_op
    if made is None or value is argument:
        return value is argument
    inside = [each for region in made.regions for each in walk(region.block)]
    return any(argument in each.operands for each in (made, *inside))
