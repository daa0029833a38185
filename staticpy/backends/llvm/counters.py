"""Ints that a loop counts, of which no sum needs a look at whether it leaves 64 bits.

In: a loop over numbers, which is run in pieces of a known number of rounds. Out: what it carries
and changes by a small number in each of them, ``count += 1``, ``left -= x[i] & 7``, or sets to a
small one; and the sums that are then within 64 bits, as long as what is carried is far from the
ends when a piece begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from staticpy.ir import BOOL, INT, Block, Operation, OpResult, Value, walk

FAR = 1 << 62
"""A counter is between this and its negative when a piece begins."""

LONGEST_PIECE = 1 << 24
"""A piece has no more rounds."""

_MOST = 1 << 36
"""By no more a round may change it."""


_SUMS = ("py.add", "py.sub")


class Counter(NamedTuple):
    """A carried int.

    Attributes:
        place: which of the carried values it is.
        sums: the operations that add to it, or subtract from it.
    """

    place: int
    sums: tuple[Operation, ...]


class _Sum(NamedTuple):
    """A carried value, or on some paths a small number, and what has been added to it: at least,
    and at most.
    """

    base: int
    low: int
    high: int


def counters(loop: Operation) -> list[Counter]:
    """The counters of a ``for`` or ``while``."""
    if loop.op.name == "while":
        before, after = (region.block for region in loop.regions)
        sums = _Sums(before, 0)
        sums.find(before)
        for argument, given in zip(after.args, before.terminator.operands[1:], strict=True):
            sums.known[argument] = sums.of(given)
        sums.find(after)
        yielded = list(after.terminator.operands)
    else:
        (block,) = (region.block for region in loop.regions)
        sums = _Sums(block, 1)
        sums.find(block)
        yielded = list(block.terminator.operands[int(bool(loop.attrs["breaks"])) :])
    return list(_counters(sums, [sums.of(each) for each in yielded]))


def _counters(sums: _Sums, given: list[_Sum | None]) -> Iterator[Counter]:
    for place, each in enumerate(given):
        if each is not None and each.base == place and each.low >= -_MOST and each.high <= _MOST:
            found = tuple(op for op, made in sums.made.items() if made.base == place)
            if found:
                yield Counter(place, found)


class _Sums:
    """What is known of ints in a round whose block has the arguments ``block.args[first:]``."""

    def __init__(self, block: Block, first: int) -> None:
        self.known: dict[Value, _Sum | None] = {
            argument: _Sum(place, 0, 0)
            for place, argument in enumerate(block.args[first:])
            if argument.type == INT
        }
        self.made: dict[Operation, _Sum] = {}

    def find(self, block: Block) -> None:
        """Look at all sums of a block and those in its branches."""
        for operation in walk(block):
            if operation.op.name in _SUMS:
                self.of(operation.results[0])

    def of(self, value: Value) -> _Sum | None:
        """Which sum a value is."""
        if value not in self.known:
            found = self._made(value)
            if found is not None and not -_MOST <= found.low <= found.high <= _MOST:
                found = None
            self.known[value] = found
            made = value.defining_op
            if found is not None and made is not None and made.op.name in _SUMS:
                self.made[made] = found
        return self.known[value]

    def _made(self, value: Value) -> _Sum | None:
        operation = value.defining_op
        if operation is None or value.type != INT:
            return None
        if operation.op.name == "if":
            return _either([self.of(each) for each in _sides(value) if not _bounds(each)])
        if operation.op.name not in _SUMS:
            return None
        left, right = operation.operands
        base, added = self.of(left), _bounds(right)
        if operation.op.name == "py.add" and (base is None or added is None):
            base, added = self.of(right), _bounds(left)
        if base is None or added is None:
            return None
        low, high = added if operation.op.name == "py.add" else (-added[1], -added[0])
        return _Sum(base.base, base.low + low, base.high + high)


def _sides(value: Value) -> list[Value]:
    """What the branches yield for a result."""
    assert isinstance(value, OpResult)
    place = value.owner.results.index(value)
    return [region.block.terminator.operands[place] for region in value.owner.regions]


def _either(sides: list[_Sum | None]) -> _Sum | None:
    """One for all sides, of which small numbers need none."""
    known = [each for each in sides if each is not None]
    if len(known) < len(sides) or len({each.base for each in known}) != 1:
        return None
    return _Sum(known[0].base, min(e.low for e in known), max(e.high for e in known))


def _bounds(value: Value) -> tuple[int, int] | None:
    """Between which numbers an int or bool is, if they are small."""
    if value.type == BOOL:
        return 0, 1
    operation = value.defining_op
    if operation is None or value.type != INT:
        return None
    name = operation.op.name
    if name == "constant":
        number = operation.attrs["value"]
        return (number, number) if abs(number) <= _MOST else None
    if name in ("py.and", "py.mod"):
        known = _bounds(operation.operands[1])
        if known is not None and known[0] == known[1] and known[0] > 0:
            return 0, known[1]
    if name == "if":
        sides = [_bounds(each) for each in _sides(value)]
        known_sides = [each for each in sides if each is not None]
        if len(known_sides) == len(sides):
            return min(e[0] for e in known_sides), max(e[1] for e in known_sides)
    return None
