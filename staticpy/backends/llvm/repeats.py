"""``np.repeat`` in LLVM's terms: each element, or each row, several times.

    x: f64[n, m]    np.repeat(x, 2, axis=1)    out[i, 2 * j] = out[i, 2 * j + 1] = x[i, j]

In: an array in C order, a count that the graph knows, and one axis, or all elements as a row. Out:
a new array. Along the last axis a vector of elements is spread to as many vectors as the count;
along others what an axis has at one place, with those after it, is copied as bytes. Long arrays are
cut into parts. Arrays that lie otherwise, and other counts, are the kernel's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import is_small, made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import copy_bytes
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I64, POINTER, Native, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.pool import emit_turns
from staticpy.backends.llvm.vectors import interleaved, load_fields, moved, splat, store_fields
from staticpy.backends.llvm.workers import PART
from staticpy.ir import Operation

_MOST = 1 << 15
"""The largest count."""

_WIDTH = 8
"""How many elements are read at a time, and the most vectors that are written of them."""

_PIECE = 1 << 15
"""About how many bytes one turn writes."""

_CONTEXT = ir.LiteralStructType([POINTER, POINTER, I64, I64, I64])
"""Where to write and to read; the bytes of a row, how many rows there are, and those of a turn."""


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rule, by op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        array, count = operands[0], operation.attrs.get("count", 0)
        if array.form.kind != "array" or not array.form.rank or not 0 < count <= _MOST:
            return None
        builder, itemsize = cx.builder, size_in_memory(array.form)
        axis = operation.attrs.get("axis")
        sizes = [reduce(builder.mul, array.sizes)] if axis is None else [*array.sizes]
        axis = axis or 0
        rows = reduce(builder.mul, sizes[: axis + 1])
        made = [builder.mul(n, I64(count)) if own == axis else n for own, n in enumerate(sizes)]
        step = reduce(builder.mul, sizes[axis + 1 :], I64(itemsize))
        is_quick = is_dense(builder, array.sizes, array.strides, itemsize)
        for condition in (
            builder.icmp_signed(">", builder.mul(rows, step), I64(0)),
            is_small(builder, made, itemsize),
        ):
            is_quick = builder.and_(is_quick, condition)
        is_row = axis < len(sizes) - 1 or itemsize > _WIDTH
        repeated = _Repeated(count, None if is_row else itemsize)

        def fill(native: Native) -> None:
            repeated.run(cx, native.data, array.data, step, rows)

        outcome = Outcome(cx, boxes, operation.results[0].type)
        return [made_or_kernel(boxes, cx, outcome, made, is_quick, fill)]

    return {"repeat": rule}


@dataclass(frozen=True, slots=True)
class _Repeated:
    """Elements of one size, or rows of bytes, so many times."""

    count: int
    itemsize: int | None

    def run(
        self, cx: Context, target: ir.Value, source: ir.Value, step: ir.Value, rows: ir.Value
    ) -> None:
        """Emit that all is written, by several threads if it is much."""
        builder = cx.builder
        context = cx.variable(_CONTEXT)
        written = builder.mul(step, I64(self.count))
        turn = builder.add(builder.udiv(I64(_PIECE), written), I64(1))
        store_fields(builder, context, _CONTEXT, (target, source, step, rows, turn))
        turns = builder.udiv(builder.add(rows, builder.sub(turn, I64(1))), turn)
        emit_turns(builder, self._part(cx), context, turns, builder.mul(written, rows))

    def _part(self, cx: Context) -> ir.Function:
        """``part(context, begin, end)``: these turns."""
        name = f"repeated.{self.count}.{self.itemsize or 'rows'}"
        function, body = cx.loop_function(name, PART)
        if body is not None:
            context, begin, end = body.args
            builder = ir.IRBuilder(body.append_basic_block())
            target, source, step, rows, turn = load_fields(builder, context, _CONTEXT)
            start, stop = (builder.mul(each, turn) for each in (begin, end))
            stop = builder.select(builder.icmp_signed("<", stop, rows), stop, rows)
            if self.itemsize is None:
                self._rows(builder, target, source, step, start, stop)
            else:
                self._elements(builder, target, source, start, stop)
            builder.ret_void()
        return function

    def _rows(
        self,
        builder: ir.IRBuilder,
        target: ir.Value,
        source: ir.Value,
        step: ir.Value,
        start: ir.Value,
        stop: ir.Value,
    ) -> None:
        with counted(builder, start, stop) as row:
            there = moved(builder, source, row, step)
            first = builder.mul(row, I64(self.count))
            with counted(builder, I64(0), I64(self.count)) as turn:
                here = moved(builder, target, builder.add(first, turn), step)
                builder.call(copy_bytes(builder.module), [here, there, step, I1(0)])

    def _elements(
        self,
        builder: ir.IRBuilder,
        target: ir.Value,
        source: ir.Value,
        start: ir.Value,
        stop: ir.Value,
    ) -> None:
        assert self.itemsize is not None
        element = ir.IntType(8 * self.itemsize)
        size, step = I64(self.itemsize), I64(self.itemsize * self.count)
        whole = start
        if self.count <= _WIDTH:
            whole = builder.add(start, builder.and_(builder.sub(stop, start), I64(-_WIDTH)))
            with counted(builder, start, whole, _WIDTH, as_written=True) as index:
                place = moved(builder, source, index, size)
                read = builder.load(place, typ=ir.VectorType(element, _WIDTH), align=1)
                spread = interleaved(builder, [read] * self.count)
                builder.store(spread, moved(builder, target, index, step), align=1)
        with counted(builder, whole, stop, as_written=True) as index:
            read = builder.load(moved(builder, source, index, size), typ=element, align=1)
            here = moved(builder, target, index, step)
            if self.count <= _WIDTH:
                builder.store(splat(builder, read, self.count), here, align=1)
            else:
                self._filled(builder, here, read)

    def _filled(self, builder: ir.IRBuilder, target: ir.Value, element: ir.Value) -> None:
        """Write one element more often than a vector has place for: the last vector may begin
        within the one before.
        """
        vector, size = splat(builder, element, _WIDTH), I64(element.type.width // 8)
        last = I64(self.count - _WIDTH)
        with counted(builder, I64(0), last, _WIDTH, as_written=True) as index:
            builder.store(vector, moved(builder, target, index, size), align=1)
        builder.store(vector, moved(builder, target, last, size), align=1)
