"""Slots: what lives and dies together in control flow.

In: an ``if``, ``for`` or ``while``. Out: its slots. A slot is one value that is handed through: the
results and block arguments that hold it (``members``), and the operands that it comes from
(``sources``).

    if      result j                     from what each region yields at j
    for     result j, argument 1 + j     from carried operand j and from what the region yields at j
    while   argument i of ``before``     from operand i and from what ``after`` yields at i
            result j, argument j of      from what ``before`` yields at 1 + j
            ``after``
"""

from __future__ import annotations

from dataclasses import dataclass

from staticpy.ir import BlockArgument, Operation, OpResult, Value
from staticpy.ops import for_, if_, while_


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
    if operation.op is if_:
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
    """The operands that control flow reads itself: conditions and bounds."""
    if operation.op is if_:
        return operation.operands[:1]
    if operation.op is while_:
        return operation.regions[0].block.terminator.operands[:1]
    assert operation.op is for_
    breaks = operation.regions[0].block.terminator.operands[: int(operation.attrs["breaks"])]
    return operation.operands[:3] + breaks
