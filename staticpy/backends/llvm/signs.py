"""Ints that are not negative.

In: a function of the graph. Out: which of its ints are never below 0, and which aren't where an
operation is done, as the conditions around it say: an index of which that is known doesn't count
from the end, a difference of two such ints doesn't leave 64 bits, and a quotient is not rounded
down a second time.

    while %0 : int (%i: int) {
      %1 = py.lt %i, %n : bool                     begins with 0, and is never less
      region_yield %1, %i
    } (%j: int) {
      %2 = py.add %j, 1 : int
      region_yield %2
    }

All ints are taken for such until an operation is found that may give another one, and then what is
made of that: what is left holds in the first round of a loop, and in each that follows one in which
it does. An int that leaves 64 bits is none, as the function is left then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import numpy as np

from staticpy.backends.llvm.conditions import known_outcomes
from staticpy.backends.llvm.forms import UNSIGNED
from staticpy.ir import (
    BOOL,
    INT,
    Block,
    BlockArgument,
    Function,
    Operation,
    OpResult,
    ScalarType,
    Type,
    Value,
)
from staticpy.ops import REGISTRY, constant, constant_value, for_, if_, while_
from staticpy.passes import conjuncts, made_in

_INVERSE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SYMBOLS = {name: op.symbol for name, op in REGISTRY.items() if op.symbol in _INVERSE}
_I64 = np.dtype(np.int64)


class _Fact(NamedTuple):
    """A comparison that holds."""

    left: Value
    symbol: str
    right: Value | None  # None for 0


class Signs:
    """What is known of the ints of a ``function``."""

    def __init__(self, function: Function) -> None:
        self._outermost = function.block
        self._facts: dict[Block, list[_Fact]] = {}
        self._readers: dict[Value, list[Value]] = {}
        given = set(function.args)
        ints = [each for each in made_in(function.block) if _is_int(each.type)]
        self._found = {each for each in ints if each not in given}
        pending = [each for each in ints if each in self._found]
        while pending:
            doubtful: list[Value] = []
            for value in pending:
                if value in self._found and not self._follows(value):
                    self._found.remove(value)
                    doubtful += self._readers.pop(value, ())
            pending = doubtful

    def is_not_negative(self, value: Value, operation: Operation) -> bool:
        """Whether an int is not below 0 where ``operation`` is done."""
        least = self._least(value, operation.block)
        return least is not None and least >= 0

    def is_never_negative(self, value: Value) -> bool:
        """The same wherever it is read."""
        least = self._least_anywhere(value, None)
        return least is not None and least >= 0

    # --- what follows from the rest ---------------------------------------------------------------

    def _follows(self, value: Value) -> bool:
        """Whether an int is not below 0 if all others are not that are thought to be such."""
        if isinstance(value, BlockArgument):
            return self._argument_follows(value)
        assert isinstance(value, OpResult)
        made, block = value.owner, value.owner.block
        place = made.results.index(value)
        if made.op is if_ or made.op is for_ or made.op is while_:
            return all(self._holds(each, at, value) for each, at in _sources(made, place))
        if made.op is constant:
            return bool(made.attrs["value"] >= 0)
        if made.op.name == "py.sub":
            return self._is_difference(made, value)
        rule = _RULES.get(made.op.name)
        if rule is None or made.attrs.get("key") is not None:
            return made.op.name in _ALWAYS
        return rule(self._holds(each, block, value) for each in made.operands)

    def _argument_follows(self, value: BlockArgument) -> bool:
        block = value.block
        loop = block.parent
        assert loop is not None
        place = block.args.index(value)
        if loop.op is for_ and place == 0:
            return self._index_follows(value, loop)
        if loop.op is while_ and block is loop.regions[1].block:
            before = loop.regions[0].block
            forwarded = before.terminator.operands[1 + place]
            if self._holds(forwarded, before, value):
                return True
            return any(least >= 0 for least in self._said(value, block, value, block.args))
        pairs = _sources(loop, place - 1) if loop.op is for_ else _carried(loop, place)
        return all(self._holds(each, at, value) for each, at in pairs)

    def _index_follows(self, index: Value, loop: Operation) -> bool:
        start, stop, step = loop.operands[:3]
        known = constant_value(step)
        if not isinstance(known, int) or loop.block is None:
            return False
        if known > 0:
            return self._holds(start, loop.block, index)
        end = constant_value(stop)
        is_above = isinstance(end, int) and end >= -1
        return is_above or self._holds(stop, loop.block, index)

    def _is_difference(self, made: Operation, value: Value) -> bool:
        """Whether a difference is that of an int and one that is not larger: a known one, or one of
        which a condition says so.
        """
        assert made.block is not None
        left, right = made.operands
        number = constant_value(right)
        if isinstance(number, int):
            least = self._least(left, made.block, value)
            return least is not None and least >= number
        return any(
            fact.left is left and fact.right is right and fact.symbol in (">", ">=", "==")
            for fact in self._facts_of(made.block)
        )

    def _holds(self, value: Value, block: Block | None, reader: Value) -> bool:
        anywhere = self._least_anywhere(value, reader)
        if anywhere is not None or block is None:
            return anywhere is not None and anywhere >= 0
        return any(least >= 0 for least in self._said(value, block, reader))

    def _least(self, value: Value, block: Block | None, reader: Value | None = None) -> int | None:
        """A number that an int is not below in a block, as far as one is known; ``reader`` relies
        on it.
        """
        found = [] if block is None else list(self._said(value, block, reader))
        least = self._least_anywhere(value, reader)
        return max([*found, *([] if least is None else [least])], default=None)

    def _least_anywhere(self, value: Value, reader: Value | None) -> int | None:
        """The same, whatever conditions say."""
        known = constant_value(value)
        if isinstance(known, int | np.integer):
            return int(known)
        if value in self._found:
            if reader is not None:
                self._readers.setdefault(value, []).append(reader)
            return 0
        return 0 if _has_no_sign(value.type) else None

    def _said(
        self,
        value: Value,
        block: Block,
        reader: Value | None,
        without: Collection[Value] = (),
    ) -> Iterator[int]:
        """Numbers that conditions say an int is not below. Of one that relies on them itself, what
        is said of it and another int that does so at the same time doesn't count: these it is
        ``without``.
        """
        for left, symbol, right in self._facts_of(block):
            if left is not value or right in without:
                continue
            other = 0 if right is None else self._least_anywhere(right, reader)
            if other is None:
                continue
            if symbol in (">", ">=", "=="):
                yield other + (symbol == ">")
            is_other = symbol == "!=" and right is None and reader is not value
            if is_other and self._least_anywhere(value, reader) == 0:
                yield 1

    # --- what conditions say ----------------------------------------------------------------------

    def _facts_of(self, block: Block) -> list[_Fact]:
        """What holds in a block, of the branches and ``while`` loops around it."""
        if block not in self._facts:
            known = known_outcomes(block.terminator, self._outermost)
            facts = [each for made, truth in known for each in _facts(made, truth)]
            self._facts[block] = [*facts, *_facts_of_loops(block)]
        return self._facts[block]


def _facts(made: Operation, truth: bool) -> Iterator[_Fact]:
    """What it says that an operation has given a truth value: of each side."""
    if made.op.name in ("truth", "py.bool") and _is_int(made.operands[0].type):
        yield _Fact(made.operands[0], "!=" if truth else "==", None)
    symbol = _SYMBOLS.get(made.op.name)
    if symbol is None or not all(_is_int(each.type) for each in made.operands):
        return
    symbol = symbol if truth else _INVERSE[symbol]
    left, right = made.operands
    for one, sign, other in ((left, symbol, right), (right, _TURNED[symbol], left)):
        is_zero = constant_value(other) == 0
        yield _Fact(one, sign, None if is_zero else other)


def _facts_of_loops(block: Block) -> Iterator[_Fact]:
    """What the conditions of ``while`` loops say of the rounds that a block is part of."""
    region = block.region
    while region is not None and region.parent is not None:
        loop = region.parent
        if loop.op is while_ and region is loop.regions[1]:
            condition, *forwarded = loop.regions[0].block.terminator.operands
            said = [fact for each in conjuncts(condition) for fact in _facts_of_truth(each)]
            names = dict(zip(region.block.args, forwarded, strict=True))
            yield from said
            for left, symbol, right in said:
                for argument, given in names.items():
                    if given is left:
                        yield _Fact(argument, symbol, right)
                    if given is right:
                        yield _Fact(left, symbol, argument)
                        yield from (
                            _Fact(each, symbol, argument) for each in names if names[each] is left
                        )
        region = loop.block.region if loop.block is not None else None


def _facts_of_truth(value: Value) -> Iterator[_Fact]:
    """What a value says that is true."""
    if _is_int(value.type):
        yield _Fact(value, "!=", None)
    if value.defining_op is not None:
        yield from _facts(value.defining_op, truth=True)


# --- operations -----------------------------------------------------------------------------------


def _sources(made: Operation, place: int) -> list[tuple[Value, Block | None]]:
    """What a result of an operation with regions may be, and where that is known; for the argument
    that a ``for`` carries, the same.
    """
    blocks = [region.block for region in made.regions]
    if made.op is if_:
        return [(each.terminator.operands[place], each) for each in blocks]
    if made.op is while_:
        return [(blocks[0].terminator.operands[1 + place], blocks[0])]
    first = int(bool(made.attrs["breaks"]))
    (block,) = blocks
    given = block.terminator.operands[first + place]
    return [(made.operands[3 + place], made.block), (given, block)]


def _carried(loop: Operation, place: int) -> list[tuple[Value, Block | None]]:
    """What an argument of the condition of a ``while`` may be."""
    after = loop.regions[1].block
    return [(loop.operands[place], loop.block), (after.terminator.operands[place], after)]


def _is_int(type_: Type) -> bool:
    """Whether it is Python's int, or NumPy's of 64 bits with a sign."""
    return type_ == INT or (isinstance(type_, ScalarType) and type_.dtype == _I64)


def _has_no_sign(type_: Type) -> bool:
    """Whether numbers are never negative."""
    if isinstance(type_, ScalarType):
        return type_.dtype.kind == "b" or (type_.dtype.kind == "u" and type_.dtype.itemsize < 8)
    return type_ in (BOOL, UNSIGNED)


def _first(holds: Iterator[bool]) -> bool:
    return next(holds)


def _second(holds: Iterator[bool]) -> bool:
    next(holds)
    return next(holds)


_RULES: dict[str, Callable[[Iterator[bool]], bool]] = {
    **dict.fromkeys(("py.add", "py.mul", "py.floordiv", "py.or", "py.xor", "py.min"), all),
    **dict.fromkeys(("py.pos", "py.int", "from_python", "item", "cast", "floor_divide"), all),
    **dict.fromkeys(("bitwise_or", "bitwise_xor", "minimum"), all),
    **dict.fromkeys(("py.and", "py.max", "bitwise_and", "maximum"), any),
    **dict.fromkeys(("py.lshift", "py.rshift", "py.pow"), _first),
    **dict.fromkeys(("py.mod", "remainder"), _second),
}
"""Of which operands it follows that a result is not negative. NumPy's sums and products go round at
64 bits.
"""

_ALWAYS = ("dim", "list.len", "py.abs", "py.ord", "math.gcd", "math.isqrt", "math.lcm")
"""What is never negative."""
