"""``scatter_add`` at an array of integers in LLVM's terms: the way back of ``x[i]``.

    added: f64[m, k], like: f64[n, k], i: i64[m]      for each r: out[i[r]] += added[r]

In: rows, or numbers, and the index of each. Out: a new array of zeros to which they are added, one
after the other, as NumPy does it. All indexes are looked at before; where one is out of bounds, or
arrays lie otherwise, the kernel is called. Should another thread write to them meanwhile, what is
out of bounds then goes to the first row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import clear, made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import element_type
from staticpy.backends.llvm.forms import I1, I64, POINTER, Native
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.places import from_front
from staticpy.backends.llvm.vectors import moved
from staticpy.ir import Operation

_MATRIX = 2
_WIDTH = 8
"""How many elements of a row are added at a time."""


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rule, by its op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _has_form(operation, operands):
            return None
        added, like, index = operands
        dtype = added.form.dtype
        assert dtype is not None
        cx.warns = True
        is_quick = reduce(cx.builder.and_, _checks(cx, added, like, index))
        count = cx.builder.select(is_quick, index.sizes[0], I64(0))
        given = [index.data, count, like.sizes[0]]
        is_quick = cx.builder.and_(is_quick, cx.builder.call(_checker(cx), given))
        row = like.sizes[1] if like.form.rank == _MATRIX else I64(1)

        def fill(made: Native) -> None:
            clear(cx, made)
            cx.builder.call(_adder(cx, dtype), [made.data, added.data, *given, row])

        outcome = Outcome(cx, boxes, operation.results[0].type)
        return [made_or_kernel(boxes, cx, outcome, like.sizes, is_quick, fill)]

    return {"scatter_add": rule}


def _has_form(operation: Operation, operands: Sequence[Native]) -> bool:
    """Whether rows of a matrix, or numbers of a vector, are added at an array of int64."""
    forms = [each.form for each in operands]
    if operation.attrs["spec"] != ("array",) or any(form.kind != "array" for form in forms):
        return False
    added, like, index = forms
    is_like = added.dtype is not None and added.dtype.char in "fd"
    return (
        is_like
        and index.dtype == np.int64
        and ((added.rank, index.rank) == (like.rank, 1) and 0 < like.rank <= _MATRIX)
    )


def _checks(cx: Context, added: Native, like: Native, index: Native) -> Iterator[ir.Value]:
    builder = cx.builder
    yield builder.icmp_signed("==", added.sizes[0], index.sizes[0])
    for size, wanted in zip(added.sizes[1:], like.sizes[1:], strict=True):
        yield builder.icmp_signed("==", size, wanted)
    for each in (added, index):
        assert each.form.dtype is not None
        yield is_dense(builder, each.sizes, each.strides, each.form.dtype.itemsize)


def _place(
    builder: ir.IRBuilder, index: ir.Value, number: ir.Value, size: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """The index of a number from the front, and whether it is in bounds."""
    read = builder.load(moved(builder, index, number, I64(8)), typ=I64, align=1)
    place = from_front(builder, read, size)
    return place, builder.icmp_unsigned("<", place, size)


def _checker(cx: Context) -> ir.Function:
    """``check(index, count, size)``: whether all are in bounds."""
    type_ = ir.FunctionType(I1, [POINTER, I64, I64])
    function, body = cx.loop_function("scattered.check", type_)
    if body is not None:
        builder = ir.IRBuilder(body.append_basic_block())
        index, count, size = body.args
        with counted(builder, I64(0), count) as number:
            _, is_inside = _place(builder, index, number, size)
            with builder.if_then(builder.not_(is_inside), likely=False):
                builder.ret(I1(0))
        builder.ret(I1(1))
    return function


def _adder(cx: Context, dtype: np.dtype) -> ir.Function:
    """``add(target, added, index, count, size, row)``: row by row."""
    type_ = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, POINTER, I64, I64, I64])
    function, body = cx.loop_function(f"scattered.{dtype.char}", type_)
    if body is None:
        return function
    builder, itemsize = ir.IRBuilder(body.append_basic_block()), I64(dtype.itemsize)
    target, added, index, count, size, row = body.args
    step, whole = builder.mul(row, itemsize), builder.and_(row, I64(-_WIDTH))
    with counted(builder, I64(0), count) as number:
        place, is_inside = _place(builder, index, number, size)
        here = moved(builder, target, builder.select(is_inside, place, I64(0)), step)
        there = moved(builder, added, number, step)
        for start, stop, width in ((I64(0), whole, _WIDTH), (whole, row, 1)):
            with counted(builder, start, stop, width, as_written=True) as element:
                places = [moved(builder, each, element, itemsize) for each in (here, there)]
                kind = element_type(dtype, width)
                one, other = (builder.load(each, typ=kind, align=1) for each in places)
                builder.store(builder.fadd(one, other), places[0], align=1)
    builder.ret_void()
    return function
