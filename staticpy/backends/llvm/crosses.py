"""``np.cross`` in LLVM's terms: of rows of three floats, some rows at a time.

    a: f64[n, 3], b: f64[n, 3]      out[i, 0] = a[i, 1] * b[i, 2] - a[i, 2] * b[i, 1], ...

In: two arrays of the same sizes, or one and a single row, in C order, along the last axis. Out: a
new array. The products and their differences are NumPy's. Long arrays are cut into parts. Other
arrays, among them those with rows of two, are the kernel's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import is_small, made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import element_type
from staticpy.backends.llvm.forms import I64, POINTER, Native
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.pool import emit_turns
from staticpy.backends.llvm.vectors import (
    interleaved,
    load_fields,
    moved,
    parted,
    splat,
    store_fields,
)
from staticpy.backends.llvm.workers import PART
from staticpy.ir import Operation

_ROW = 3
_WIDTH = 8
"""How many rows are computed at a time."""

_TURN = 1024
"""How many rows one turn computes."""

_KNOWN = {"function", "results", "nesting", "axis"}
_CONTEXT = ir.LiteralStructType([POINTER, POINTER, POINTER, I64])
"""Where to write, both operands, and how many rows there are."""


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rule, by its op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _has_form(operation, operands):
            return None
        builder, outcome = cx.builder, Outcome(cx, boxes, operation.results[0].type)
        cx.warns = True
        longest = max(operands, key=lambda each: each.form.rank)
        assert longest.form.dtype is not None
        is_quick = is_small(builder, longest.sizes, longest.form.dtype.itemsize)
        is_quick = reduce(builder.and_, _checks(cx, operands, longest), is_quick)
        crossed = _Crossed(longest.form.dtype, *(each.form.rank == 1 for each in operands))

        def fill(made: Native) -> None:
            rows = reduce(builder.mul, longest.sizes[:-1], I64(1))
            crossed.run(cx, made.data, [each.data for each in operands], rows)

        return [made_or_kernel(boxes, cx, outcome, longest.sizes, is_quick, fill)]

    return {"numpy.call": rule}


def _has_form(operation: Operation, operands: Sequence[Native]) -> bool:
    attrs = operation.attrs
    is_one = attrs.get("function") in ("cross", "linalg.cross") and not set(attrs) - _KNOWN
    if not is_one or attrs.get("axis", -1) != -1 or len(operands) != 2:
        return False
    forms = [each.form for each in operands]
    if any(form.kind != "array" or form.dtype is None or not form.rank for form in forms):
        return False
    ranks = {form.rank for form in forms}
    is_float = forms[0].dtype == forms[1].dtype in (np.float32, np.float64)
    return is_float and (len(ranks) == 1 or 1 in ranks)


def _checks(cx: Context, operands: Sequence[Native], longest: Native) -> Iterator[ir.Value]:
    builder = cx.builder
    for each in operands:
        assert each.form.dtype is not None
        yield is_dense(builder, each.sizes, each.strides, each.form.dtype.itemsize)
        yield builder.icmp_signed("==", each.sizes[-1], I64(_ROW))
        if each.form.rank > 1:
            for size, wanted in zip(each.sizes, longest.sizes, strict=True):
                yield builder.icmp_signed("==", size, wanted)


@dataclass(frozen=True, slots=True)
class _Crossed:
    """Rows of one dtype; of a side that is one row, all with that."""

    dtype: np.dtype
    is_one_left: bool
    is_one_right: bool

    def run(
        self, cx: Context, target: ir.Value, operands: Sequence[ir.Value], rows: ir.Value
    ) -> None:
        """Emit that all is written, by several threads if it is much."""
        builder = cx.builder
        context, part = cx.variable(_CONTEXT), self._part(cx)
        store_fields(builder, context, _CONTEXT, (target, *operands, rows))
        turns = builder.sdiv(builder.add(rows, I64(_TURN - 1)), I64(_TURN))
        written = builder.mul(rows, I64(_ROW * self.dtype.itemsize))
        emit_turns(builder, part, context, turns, written)

    def _part(self, cx: Context) -> ir.Function:
        """``part(context, begin, end)``: these turns."""
        sides = "".join("1" if each else "n" for each in (self.is_one_left, self.is_one_right))
        function, body = cx.loop_function(f"crossed.{self.dtype.char}.{sides}", PART)
        if body is not None:
            context, begin, end = body.args
            builder = ir.IRBuilder(body.append_basic_block())
            *places, rows = load_fields(builder, context, _CONTEXT)
            start, stop = (builder.mul(each, I64(_TURN)) for each in (begin, end))
            stop = builder.select(builder.icmp_signed("<", stop, rows), stop, rows)
            some = builder.and_(builder.sub(stop, start), I64(-_WIDTH))
            whole = builder.add(start, some)
            for first, last, width in ((start, whole, _WIDTH), (whole, stop, 1)):
                with counted(builder, first, last, width, as_written=True) as row:
                    self._rows(builder, places, row, width)
            builder.ret_void()
        return function

    def _rows(
        self, builder: ir.IRBuilder, places: Sequence[ir.Value], row: ir.Value, width: int
    ) -> None:
        """Some rows, one after the other."""
        step = I64(_ROW * self.dtype.itemsize)
        target, *sources = places
        kind = element_type(self.dtype, _ROW * width)
        sides = []
        for source, is_one in zip(sources, (self.is_one_left, self.is_one_right), strict=True):
            if is_one:
                one = builder.load(source, typ=element_type(self.dtype, _ROW), align=1)
                sides.append([splat(builder, each, width) for each in parted(builder, one, _ROW)])
            else:
                read = builder.load(moved(builder, source, row, step), typ=kind, align=1)
                sides.append(parted(builder, read, _ROW))
        found = [_component(builder, sides[0], sides[1], place) for place in range(_ROW)]
        here = moved(builder, target, row, step)
        if width > 1:
            builder.store(interleaved(builder, found), here, align=1)
            return
        for place, number in enumerate(found):
            there = moved(builder, here, I64(place), I64(self.dtype.itemsize))
            builder.store(number, there, align=1)


def _component(
    builder: ir.IRBuilder, left: Sequence[ir.Value], right: Sequence[ir.Value], place: int
) -> ir.Value:
    one, other = (place + 1) % _ROW, (place + 2) % _ROW
    first = builder.fmul(left[one], right[other])
    return builder.fsub(first, builder.fmul(left[other], right[one]))
