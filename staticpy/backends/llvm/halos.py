"""Arrays with a margin of what is at their other end, and parts of them, in LLVM's terms.

    x: f64[n], one more on each side    out[0] = x[n - 1]; out[1:n + 1] = x; out[n + 1] = x[0]

In: an array in C order, at least as long as the margins along each axis. Out: a new array, row by
row, of which each is three moves. Long ones are cut into parts. Other arrays are the kernel's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import is_small, made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import copy_bytes
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER, Native, form_of, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.pool import emit_turns
from staticpy.backends.llvm.vectors import load_fields, moved, store_fields
from staticpy.backends.llvm.workers import PART
from staticpy.ir import Operation


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""

    def halo(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (array,) = operands
        if array.form.kind != "array" or not array.form.rank:
            return None
        builder, itemsize = cx.builder, size_in_memory(array.form)
        before, after = operation.attrs["before"], operation.attrs["after"]
        margins = list(zip(array.sizes, before, after, strict=True))
        sizes = [builder.add(size, I64(b + a)) for size, b, a in margins]
        is_quick = is_dense(builder, array.sizes, array.strides, itemsize)
        is_quick = builder.and_(is_quick, is_small(builder, sizes, itemsize))
        for size, b, a in margins:
            is_long = builder.icmp_signed(">=", size, I64(max(b, a, 1)))
            is_quick = builder.and_(is_quick, is_long)

        def fill(made: Native) -> None:
            _fill(cx, made, array, before, after)

        outcome = Outcome(cx, boxes, operation.results[0].type)
        return [made_or_kernel(boxes, cx, outcome, sizes, is_quick, fill)]

    return {"halo": halo, "halo.window": _window}


def _window(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    whole, like = operands
    if whole.form.kind != "array" or like.form.kind != "array":
        return None
    builder, place = cx.builder, whole.data
    for first, stride in zip(operation.attrs["start"], whole.strides, strict=True):
        place = moved(builder, place, I64(first), stride)
    form = form_of(operation.results[0].type)
    return [cx.new_view(form, (whole.value, place, *like.sizes, *whole.strides))]


def _fill(
    cx: Context, made: Native, array: Native, before: Sequence[int], after: Sequence[int]
) -> None:
    """Emit that all rows are written, by several threads if it is much."""
    rank, builder = array.form.rank, cx.builder
    kind = _context(rank)
    margins = [I64(each) for each in (*before, *after)]
    context, part = cx.variable(kind), _part(cx, rank)
    step = I64(size_in_memory(array.form))
    store_fields(builder, context, kind, (made.data, array.data, step, *array.sizes, *margins))
    rows = reduce(builder.mul, made.sizes[:-1], I64(1))
    total = builder.mul(builder.mul(rows, made.sizes[-1]), step)
    emit_turns(builder, part, context, rows, total)


def _context(rank: int) -> ir.LiteralStructType:
    """Where to write and to read, the bytes of an element, and for each axis its size in the array,
    and the margins before and after it.
    """
    return ir.LiteralStructType([POINTER, POINTER, *[I64] * (1 + 3 * rank)])


def _part(cx: Context, rank: int) -> ir.Function:
    """``part(context, begin, end)``: these rows of the new array."""
    function, body = cx.loop_function(f"halo.{rank}", PART)
    if body is not None:
        context, begin, end = body.args
        builder = ir.IRBuilder(body.append_basic_block())
        target, source, step, *numbers = load_fields(builder, context, _context(rank))
        axes = list(zip(*(numbers[n * rank : (n + 1) * rank] for n in range(3)), strict=True))
        wide = [reduce(builder.add, axis) for axis in axes]
        with counted(builder, begin, end) as row:
            here = moved(builder, target, row, builder.mul(wide[-1], step))
            there, rest, stride = source, row, builder.mul(axes[-1][0], step)
            for (size, before, _), whole in zip(axes[-2::-1], wide[-2::-1], strict=True):
                place = builder.sub(builder.srem(rest, whole), before)
                there = moved(builder, there, _wrapped(builder, place, size), stride)
                rest, stride = builder.sdiv(rest, whole), builder.mul(stride, size)
            _row(builder, here, there, step, axes[-1])
        builder.ret_void()
    return function


def _wrapped(builder: ir.IRBuilder, place: ir.Value, size: ir.Value) -> ir.Value:
    """An index as one of those that there are, from less than ``size`` beyond them."""
    is_before = builder.icmp_signed("<", place, I64(0))
    is_after = builder.icmp_signed(">=", place, size)
    behind = builder.select(is_after, builder.sub(place, size), place)
    return builder.select(is_before, builder.add(place, size), behind)


def _row(
    builder: ir.IRBuilder,
    target: ir.Value,
    source: ir.Value,
    step: ir.Value,
    axis: tuple[ir.Value, ir.Value, ir.Value],
) -> None:
    """The end of a row, all of it, and its beginning."""
    size, before, after = (builder.mul(each, step) for each in axis)
    last = builder.gep(source, [builder.sub(size, before)], source_etype=I8)
    for place, length in ((last, before), (source, size), (source, after)):
        builder.call(copy_bytes(builder.module), [target, place, length, I1(0)])
        target = builder.gep(target, [length], source_etype=I8)
