"""Indexes of elements and items that are known no sooner than they are used, from the front.

In: an index and the size of its axis. Out: the place, of which it is required that it is in bounds.
Few indexes that a loop computes count from the end. In the lean edition (``editions``) one look
says that such an index does not, nor is too large: as a number without a sign a negative one is
above every size. What does is left to the whole edition, or where that is too late, to code out of
the way.
"""

from __future__ import annotations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64
from staticpy.ir import Operation
from staticpy.ops import for_, while_


def required_place(cx: Context, index: ir.Value, size: ir.Value) -> ir.Value:
    """The place of an index that the operation must find in bounds."""
    is_known = isinstance(index, ir.Constant)
    if is_known or not cx.is_lean or not is_in_loop(cx.operation):
        place = from_front(cx.builder, index, size)
        cx.require(cx.builder.icmp_unsigned("<", place, size))
        return place
    if cx.can_run_again:
        cx.leave_out_unless(cx.builder.icmp_unsigned("<", index, size))
        return index
    found = cx.variable(I64)
    cx.builder.store(index, found)
    is_other = cx.builder.icmp_unsigned(">=", index, size)
    with cx.on(is_other, "from_end", weights=(1, 1 << 20)):
        place = cx.builder.add(index, size)  # of one that is too large it is above the size as well
        cx.builder.store(place, found)
        cx.require(cx.builder.icmp_unsigned("<", place, size))
    return cx.builder.load(found, typ=I64)


def from_front(builder: ir.IRBuilder, index: ir.Value, size: ir.Value) -> ir.Value:
    """An index that counts from the end if it is negative, from the front."""
    negative = builder.icmp_signed("<", index, I64(0))
    return builder.select(negative, builder.add(index, size), index)


def is_in_loop(operation: Operation) -> bool:
    """Whether an operation may be done more than once in a call."""
    parent = operation.parent
    while parent is not None and parent.op not in (for_, while_):
        parent = parent.parent
    return parent is not None
