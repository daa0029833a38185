"""``argmax`` and ``argmin`` in LLVM's terms: where the first of the largest or smallest is.

    place = 0, best = what nothing is less than
    for each block of neighbours: if it has more than best: best, place = its largest, its start
    for each element that is left: the same
    the first element from place on that is best

In: an array of real numbers. Out: a number, or for an axis of several a new array in C order, of
integers. A NaN is more than all, and like a true one among bools it ends the walk. So a block is
what vectors reduce, in whatever order, and only one is looked through element by element. Where
there are no elements the kernel raises; where all of an array is walked along that has gaps or
isn't in C order, it does the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import Emit, compare, from_memory, memory_type
from staticpy.backends.llvm.forms import I64, POINTER, Native, form_of, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.reductions import Reduction, reduction_of
from staticpy.backends.llvm.vectors import any_of, constant, halves, lanes, moved, splat
from staticpy.ir import Operation

_BLOCK = 256
"""The bytes of a block: a few registers full, since the largest in one is waited for."""


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (array,) = operands
        if array.form.kind != "array" or not array.form.rank or array.form.is_complex:
            return None
        if form_of(operation.results[0].type).kind == "number":
            return [_of_all(cx, operation, array)]
        if operation.attrs.get("axis") is None:
            return None
        return [_of_rows(boxes, cx, operation, array)]

    return {"argmax": rule, "argmin": rule}


def _of_all(cx: Context, operation: Operation, array: Native) -> Native:
    """The place among all elements."""
    total = reduce(cx.builder.mul, array.sizes)
    is_quick = cx.builder.icmp_signed(">", total, I64(0))
    if array.form.rank > 1:
        dense = is_dense(cx.builder, array.sizes, array.strides, size_in_memory(array.form))
        is_quick = cx.builder.and_(is_quick, dense)
    find = _finder(cx, operation)
    walked = [array.data, total, array.strides[-1]]
    return cx.where(is_quick, lambda: cx.builder.call(find, walked))


def _of_rows(boxes: Boxes, cx: Context, operation: Operation, array: Native) -> Native:
    """The places along an axis."""
    axis, keeps = operation.attrs["axis"], operation.attrs.get("keepdims", False)
    others = [each for each in range(array.form.rank) if each != axis]
    sizes = [array.sizes[each] for each in others]
    made_sizes = [*sizes[:axis], I64(1), *sizes[axis:]] if keeps else sizes

    def fill(made: Native) -> None:
        strides = [array.strides[each] for each in others]
        walked = [array.data, array.sizes[axis], array.strides[axis]]
        cx.builder.call(_rows(cx, operation, len(sizes)), [made.data, *walked, *sizes, *strides])

    outcome = Outcome(cx, boxes, operation.results[0].type)
    is_quick = cx.builder.icmp_signed(">", array.sizes[axis], I64(0))
    return made_or_kernel(boxes, cx, outcome, made_sizes, is_quick, fill)


def _rows(cx: Context, operation: Operation, rank: int) -> ir.Function:
    """``rows(target, source, size, stride, *sizes, *strides)``: the place in each row."""
    find = _finder(cx, operation)
    arguments = [POINTER, *find.function_type.args, *[I64] * (2 * rank)]
    type_ = ir.FunctionType(ir.VoidType(), arguments)
    function, body = cx.loop_function(f"{find.name}.{rank}", type_)
    if body is not None:
        target, source, size, stride, *rest = body.args
        builder = ir.IRBuilder(body.append_basic_block())
        axes = list(zip(rest[:rank], rest[rank:], strict=True))

        def walk(number: int, source: ir.Value, place: ir.Value) -> None:
            if number == rank:
                found = builder.call(body.module.globals[find.name], [source, size, stride])
                builder.store(found, moved(builder, target, place, I64(8)))
                return
            count, step = axes[number]
            with counted(builder, I64(0), count) as index:
                at = builder.add(builder.mul(place, count), index)
                walk(number + 1, moved(builder, source, index, step), at)

        walk(0, source, I64(0))
        builder.ret_void()
    return function


def _finder(cx: Context, operation: Operation) -> ir.Function:
    """``find(source, size, stride)``: the place among elements, of which there are some."""
    reduction = reduction_of(operation)
    type_ = ir.FunctionType(I64, [POINTER, I64, I64])
    name = f"place.{reduction.name}.{reduction.dtype.char}"
    function, body = cx.loop_function(name, type_)
    if body is not None:
        _Finder(body, reduction).emit()
    return function


class _Finder:
    """Emits one such function."""

    def __init__(self, body: ir.Function, reduction: Reduction) -> None:
        self._builder = ir.IRBuilder(body.append_basic_block())
        self._source, self._size, self._stride = body.args
        self._dtype = reduction.dtype
        self._emit = Emit(self._builder, self._dtype)
        self._more, self._not_more = (">", "<=") if reduction.name == "maximum" else ("<", ">=")
        start = constant(memory_type(self._dtype, 1), reduction.start)
        self._start = from_memory(self._builder, self._dtype, start)
        self._place = self._builder.alloca(I64)
        self._best = self._builder.alloca(self._start.type)
        self._known = self._builder.append_basic_block()

    def emit(self) -> None:
        """Everything."""
        builder, itemsize = self._builder, self._dtype.itemsize
        builder.store(I64(0), self._place)
        builder.store(self._start, self._best)
        count = _BLOCK // itemsize
        is_row = builder.icmp_signed("==", self._stride, I64(itemsize))
        whole = builder.select(is_row, builder.and_(self._size, I64(-count)), I64(0))
        for start, end, step in ((I64(0), whole, count), (whole, self._size, 1)):
            with counted(builder, start, end, step) as place:
                self._meet(place, step)
        builder.branch(self._known)
        builder.position_at_end(self._known)
        found = builder.load(self._place, typ=I64)
        with builder.if_then(builder.icmp_signed("<", found, whole)):
            self._look(found)
        builder.ret(found)

    def _meet(self, place: ir.Value, count: int) -> None:
        """The elements at a place, of which the first may be the one."""
        builder, elements = self._builder, self._load(place, count)
        best = builder.load(self._best, typ=self._start.type)
        least = self._compare(self._not_more, elements, splat(builder, best, count))
        with builder.if_then(any_of(builder, builder.not_(least)), likely=False):
            builder.store(place, self._place)
            if self._dtype.kind == "f":  # a comparison with a NaN doesn't hold
                is_nan = self._compare("!=", elements, elements)
                with builder.if_then(any_of(builder, is_nan)):
                    builder.store(constant(best.type, np.nan), self._best)
                    builder.branch(self._known)
            builder.store(self._most(elements), self._best)
            if self._dtype.kind == "b":
                builder.branch(self._known)

    def _most(self, elements: ir.Value) -> ir.Value:
        """The largest of elements, none of which is a NaN."""
        while lanes(elements) > 1:
            one, other = halves(self._builder, elements)
            if self._dtype.kind == "f":  # the processor's own maximum
                is_more = self._builder.fcmp_ordered(self._more, one, other)
            else:
                is_more = self._compare(self._more, one, other)
            elements = self._builder.select(is_more, one, other)
        return elements

    def _look(self, start: ir.Value) -> None:
        """The first element from a place on that is the best, or no number."""
        builder = self._builder
        best = builder.load(self._best, typ=self._start.type)
        with counted(builder, start, self._size) as place:
            element = self._load(place, 1)
            is_it = self._compare("==", element, best)
            is_nan = self._compare("!=", element, element)
            with builder.if_then(builder.or_(is_it, is_nan)):
                builder.ret(place)

    def _compare(self, symbol: str, one: ir.Value, other: ir.Value) -> ir.Value:
        return compare(self._emit, symbol, one, other)

    def _load(self, place: ir.Value, count: int) -> ir.Value:
        builder = self._builder
        at = moved(builder, self._source, place, self._stride)
        loaded = builder.load(at, typ=memory_type(self._dtype, count), align=1)
        return from_memory(builder, self._dtype, loaded)
