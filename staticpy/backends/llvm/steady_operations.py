"""Which operations LLVM may do before a loop, of which there may be no round, and raise flags of
the processor for nothing: those that are the same in each round.

In: an operation. Out: the loop, if it is one of these.
"""

from __future__ import annotations

from staticpy.backends.llvm.members import are_computed, computes
from staticpy.ir import BlockArgument, Operation, Value
from staticpy.ops import for_, index, while_


def steady_loop(operation: Operation) -> Operation | None:
    """The loop around an operation that is the same in each of its rounds; or None."""
    loop = operation.parent
    while loop is not None and loop.op not in (for_, while_):
        loop = loop.parent
    return loop if loop is not None and _is_steady(operation, loop) else None


def _is_steady(operation: Operation, loop: Operation) -> bool:
    """Whether the operands are made before a loop, or read or computed of such that are."""
    return are_computed(operation.operands, _reads, lambda value: _is_outside(value, loop))


def _reads(operation: Operation) -> bool:
    return computes(operation) or operation.op is index


def _is_outside(value: Value, loop: Operation) -> bool:
    made = value.defining_op
    if made is not None:
        place = made.parent
    else:
        assert isinstance(value, BlockArgument)
        place = value.block.region.parent if value.block.region is not None else None
    while place is not None and place is not loop:
        place = place.parent
    return place is None
