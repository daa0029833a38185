"""Slots: what lives and dies together in control flow.

In: an ``if``, ``for``, ``while``, ``try`` or ``errstate``. Out: its slots. A slot is one value that
is handed through: the results and block arguments that hold it (``members``), and the operands that
it comes from (``sources``).

    if      result j                     from what each region yields at j (try, errstate too)
    for     result j, argument 1 + j     from carried operand j and from what the region yields at j
    while   argument i of ``before``     from operand i and from what ``after`` yields at i
            result j, argument j of      from what ``before`` yields at 1 + j
            ``after``
"""

from __future__ import annotations

from dataclasses import dataclass

from staticpy.ir import BlockArgument, Operation, OpResult, Value
from staticpy.ops import errstate, for_, if_, try_, while_

CONTROL = frozenset((if_, for_, while_, try_, errstate))
"""The ops whose regions these passes know."""


@dataclass(frozen=True, slots=True)
class Source:
    """An operand: position ``position`` of ``operation``."""

    operation: Operation
    position: int

    @property
    def value(self) -> Value:
        """The value of the operand as it is now."""
        return self.operation.operands[self.position]


@dataclass(frozen=True, eq=False, slots=True)
class Slot:
    """One value that control flow hands through."""

    members: tuple[OpResult | BlockArgument, ...]
    sources: tuple[Source, ...]


def slots_of(operation: Operation) -> list[Slot]:
    """The slots of an operation; none where it isn't control flow."""
    ends = [region.block.terminator for region in operation.regions]
    if operation.op in (if_, try_, errstate):
        return [
            Slot((result,), tuple(Source(end, i) for end in ends))
            for i, result in enumerate(operation.results)
        ]
    if operation.op is for_:
        offset = int(operation.attrs["breaks"])
        arguments = operation.regions[0].block.args[1:]
        return [
            Slot((result, arguments[i]), (Source(operation, 3 + i), Source(ends[0], offset + i)))
            for i, result in enumerate(operation.results)
        ]
    return _while_slots(operation) if operation.op is while_ else []


def _while_slots(operation: Operation) -> list[Slot]:
    before, after = (region.block for region in operation.regions)
    carried = [
        Slot((argument,), (Source(operation, i), Source(after.terminator, i)))
        for i, argument in enumerate(before.args)
    ]
    forwarded = [
        Slot((result, after.args[i]), (Source(before.terminator, 1 + i),))
        for i, result in enumerate(operation.results)
    ]
    return carried + forwarded


def steering(operation: Operation) -> list[Value]:
    """The operands that control flow reads itself: conditions, bounds, classes."""
    if operation.op in (if_, try_, errstate):
        return operation.operands
    if operation.op is while_:
        return operation.regions[0].block.terminator.operands[:1]
    assert operation.op is for_
    breaks = operation.regions[0].block.terminator.operands[: int(operation.attrs["breaks"])]
    return operation.operands[:3] + breaks
