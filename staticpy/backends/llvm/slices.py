"""Slices in LLVM's terms: which indexes ``start:stop:step`` takes.

In: the three parts, known or not, and the size of the axis. Out: the first index, the count and the
step, as CPython (``PySlice_AdjustIndices``) and NumPy make them of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import I1, I64
from staticpy.backends.llvm.layouts import magnitude

Demand = Callable[[ir.Value], None]
"""What is done about a condition without which an access would be wrong."""


def slice_of(
    builder: ir.IRBuilder, parts: Sequence[ir.Value | int | None], size: ir.Value, demand: Demand
) -> tuple[ir.Value, ir.Value, ir.Value | None]:
    """The first index, the count and the step, which is None where it is 1."""
    start, stop, step = parts
    if step is None or step == 1:
        bounds = _Bounds(builder, size, I1(0))
        first, last = bounds.place(start, bounds.low), bounds.place(stop, bounds.high)
        if start is None and stop is None:
            return first, size, None
        return first, _or_none(builder, builder.sub(last, first)), None
    if isinstance(step, int):
        is_down: ir.Value = I1(step < 0)
        step = I64(step)
    else:
        is_zero = builder.icmp_signed("==", step, I64(0))
        demand(builder.not_(is_zero))
        step = builder.select(is_zero, I64(1), step)
        is_lowest = builder.icmp_signed("==", step, I64(-(1 << 63)))
        step = builder.select(is_lowest, I64(1 - (1 << 63)), step)
        is_down = builder.icmp_signed("<", step, I64(0))
    bounds = _Bounds(builder, size, is_down)
    first = bounds.place(start, builder.select(is_down, bounds.high, bounds.low))
    last = bounds.place(stop, builder.select(is_down, bounds.low, bounds.high))
    distance = builder.select(is_down, builder.sub(first, last), builder.sub(last, first))
    distance = _or_none(builder, distance)
    more = builder.udiv(builder.sub(distance, I64(1)), magnitude(builder, step))
    is_empty = builder.icmp_signed("==", distance, I64(0))
    count = builder.select(is_empty, I64(0), builder.add(more, I64(1)))
    # Of nothing NumPy makes an array with the steps of the axis.
    return first, count, builder.select(is_empty, I64(1), step)


def _or_none(builder: ir.IRBuilder, count: ir.Value) -> ir.Value:
    return builder.select(builder.icmp_signed(">", count, I64(0)), count, I64(0))


class _Bounds:
    """Between which numbers the places of a slice are: one less where it goes down."""

    def __init__(self, builder: ir.IRBuilder, size: ir.Value, is_down: ir.Value) -> None:
        self._builder = builder
        self._size = size
        self.low = builder.select(is_down, I64(-1), I64(0))
        self.high = builder.select(is_down, builder.sub(size, I64(1)), size)

    def place(self, part: ir.Value | int | None, default: ir.Value) -> ir.Value:
        """A part from the front, within the bounds."""
        if part is None:
            return default
        builder, value = self._builder, I64(part) if isinstance(part, int) else part
        negative = builder.icmp_signed("<", value, I64(0))
        value = builder.select(negative, builder.add(value, self._size), value)
        value = builder.select(builder.icmp_signed("<", value, self.low), self.low, value)
        return builder.select(builder.icmp_signed(">", value, self.high), self.high, value)
