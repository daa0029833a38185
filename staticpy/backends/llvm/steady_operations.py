"""Which operations LLVM may do where Python doesn't, and raise flags of the processor for nothing:
before a loop, of which there may be no round, those that are the same in each round, and before a
branch those on one side of it.

In: an operation. Out: the loop, or whether there is a branch.
"""

from __future__ import annotations

from staticpy.backends.llvm.members import are_computed, computes
from staticpy.backends.llvm.short_loops import is_short
from staticpy.ir import BlockArgument, Operation, Value
from staticpy.ops import for_, if_, index, while_


def steady_loop(operation: Operation) -> Operation | None:
    """The loop around an operation that is the same in each of its rounds; or None."""
    loop = operation.parent
    while loop is not None and loop.op not in (for_, while_):
        loop = loop.parent
    return loop if loop is not None and _is_steady(operation, loop) else None


def is_in_branch(operation: Operation) -> bool:
    """Whether an operation is on one side of a branch, and LLVM may do it for both: it does nothing
    there that only a round of a loop on that side knows.
    """
    around = operation.parent
    while around is not None and around.op is not if_:
        is_long = around.op in (for_, while_) and not is_short(around)
        if is_long and not _is_steady(operation, around):
            return False
        around = around.parent
    return around is not None


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
        place = value.block.parent
    while place is not None and place is not loop:
        place = place.parent
    return place is None
