"""Stacks of products of matrices, on several threads where they are large.

In: sizes, data and strides of two stacks of matrices. Out: their products, one after the other. A
large stack is cut between matrices, a large matrix along its rows or columns; where a part asks the
BLAS for a smaller product, that takes no threads of its own. No part waits for another, and the
bits don't depend on how many threads there are. What is done to the elements next can be done to
each part while it is in the cache. The code is one for stacks of any axes, and is compiled once for
a process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import blocked_products, ir
from staticpy.backends.llvm.blas import number_of_threads
from staticpy.backends.llvm.blocked_products import is_fit, matrix_product
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, has_fma, once
from staticpy.backends.llvm.forms import I1, I64, POINTER
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.packing import place_at
from staticpy.backends.llvm.parts import BOX
from staticpy.backends.llvm.pool import emit_run
from staticpy.backends.llvm.small_products import SMALL, largest_size
from staticpy.backends.llvm.stack_axes import AXES_TYPES, Axes
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import load_fields, moved, store_fields
from staticpy.backends.llvm.workers import PART

_LONG = 1 << 18
"""For more multiplications than these a BLAS would take threads of its own."""

_PIECE = 1 << 18
"""About so many each part has at least."""

_MANY = 4
"""From so many matrices on the cuts are between them; each thread gets as many turns."""

_HEIGHT, _WIDTH = 16, 32
"""The rows or columns that stay together: a multiple of what is computed at a time."""

_STACK, _ROWS, _COLUMNS = range(3)
"""What is cut."""

_MATRIX = [POINTER, I64, I64]
_STACK_TYPES = [*[I64] * 4, *_MATRIX, *_MATRIX, *[POINTER] * 2, *[POINTER] * 3, I1, *AXES_TYPES]


class _Arguments:
    """``itemsize, m, n, k``, for the first matrix of both stacks ``data, strides``, the result,
    where ``b`` is packed, or NULL, and what follows: ``loops, table, shape``, see ``parts``, or
    NULL for the loops; whether these take rows as a whole; and the outer axes.
    """

    def __init__(self, values: Sequence[ir.Value]) -> None:
        self.item, self.m, self.n, self.k = values[:4]
        self.a, *self.a_strides = values[4:7]
        self.b, *self.b_strides = values[7:10]
        self.c, self.packed = values[10:12]
        self.follow = values[12:15]
        self.keeps_rows, *self.axes = values[15:]

    def by_dtype(self, builder: ir.IRBuilder, emit: Callable[[np.dtype], None]) -> None:
        """What is emitted for each dtype of products runs for that of these."""
        is_single = builder.icmp_signed("==", self.item, I64(4))
        with builder.if_else(is_single) as (single, double):
            with single:
                emit(np.dtype(np.float32))
            with double:
                emit(np.dtype(np.float64))


@once
def _compiled() -> Code:
    """``stack(itemsize, m, n, k, a, its strides, b, its strides, c, packed b, what follows, outer
    axes)``: for each index of the outer axes a product, which it stores to ``c``, and what
    follows.
    """
    module = ir.Module("stacks")
    some = _range_of_products(module)
    part = _part(some)
    function = ir.Function(module, STACK.type, "stack")
    builder = ir.IRBuilder(function.append_basic_block())
    given = _Arguments(function.args)
    ways = _ways(builder, given)
    count = Axes(builder, *given.axes).count()
    if number_of_threads() is not None:
        _cut(builder, given, ways, count, part)
    builder.call(some, [*function.args, *ways, I64(0), count, I64(0), given.m, I64(0), given.n])
    builder.ret_void()
    return compile_modules([(module, Effort.ONCE)], ["stack"])


STACK = LinkedFunction(
    "stacks.stack",
    ir.FunctionType(ir.VoidType(), _STACK_TYPES),
    lambda: _compiled().address("stack"),
)
"""The product of stacks."""


def called_by_all() -> list[LinkedFunction]:
    """What products of all functions call."""
    return [*blocked_products.called_by_all(), STACK]


_WAYS = [I1, I1]
"""Whether ``small_products`` has a form for the matrices, and ``blocked_products``."""


def _ways(builder: ir.IRBuilder, given: _Arguments) -> list[ir.Value]:
    places = [builder.alloca(type_) for type_ in _WAYS]

    def emit(dtype: np.dtype) -> None:
        found = _is_small(builder, dtype, given), is_fit(builder, dtype, given.m, given.n, given.k)
        for place, value in zip(places, found, strict=True):
            builder.store(value, place)

    given.by_dtype(builder, emit)
    return [builder.load(place, typ=I1) for place in places]


def _internal(module: ir.Module, name: str, types: Sequence[ir.Type]) -> ir.Function:
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), types), name)
    function.linkage = "internal"
    return function


_CONTEXT = ir.LiteralStructType([*_STACK_TYPES, *_WAYS, I64, I64])
"""The arguments, the ways, what is cut, and how many matrices there are."""


def _cut(
    builder: ir.IRBuilder,
    given: _Arguments,
    ways: Sequence[ir.Value],
    number: ir.Value,
    part: ir.Function,
) -> None:
    """Return with all done where it is worth it."""
    is_small, fits = ways
    work = reduce(builder.mul, [number, given.m, given.n, given.k])
    with builder.if_then(builder.icmp_signed(">", work, I64(_LONG))):
        with builder.if_then(is_small):
            given.by_dtype(builder, lambda dtype: SMALL[dtype.name].prepare(builder))
        is_stack = builder.icmp_signed(">=", number, I64(_MANY))
        is_wide = _is_cut_along_columns(builder, given)
        rows = builder.sdiv(builder.add(given.m, I64(_HEIGHT - 1)), I64(_HEIGHT))
        columns = builder.sdiv(given.n, I64(_WIDTH))
        columns = builder.select(builder.icmp_signed(">", columns, I64(1)), columns, I64(1))
        count = builder.select(is_stack, number, builder.select(is_wide, columns, rows))
        what = builder.select(is_wide, I64(_COLUMNS), I64(_ROWS))
        what = builder.select(is_stack, I64(_STACK), what)
        enough = builder.sdiv(I64(_PIECE), builder.sdiv(work, count))
        least = builder.select(builder.icmp_signed(">", enough, I64(1)), enough, I64(1))
        turns = builder.select(is_stack, I64(_MANY), I64(1))
        place = builder.alloca(_CONTEXT)
        store_fields(builder, place, _CONTEXT, (*builder.function.args, *ways, what, number))
        calls_blas = builder.zext(builder.not_(fits), I64)
        emit_run(builder, part, place, count, least, turns, calls_blas)
        builder.ret_void()


def _is_cut_along_columns(builder: ir.IRBuilder, given: _Arguments) -> ir.Value:
    """Or else along rows, of which no two threads write to one line of the cache, and each can read
    what it has written before; but each packs all of ``b``, if that isn't done before.
    """
    is_wide = builder.icmp_signed(">", given.n, given.m)
    is_low = builder.icmp_signed("<", given.m, I64(2 * _HEIGHT))
    is_packed = builder.icmp_unsigned("!=", given.packed, NULL)
    is_better = builder.and_(is_wide, builder.or_(is_low, builder.not_(is_packed)))
    return builder.and_(is_better, builder.not_(given.keeps_rows))


def _part(some: ir.Function) -> ir.Function:
    """``part(context, begin, end)``, of matrices, or of blocks of rows or columns."""
    function = _internal(some.module, "part", PART.args)
    builder = ir.IRBuilder(function.append_basic_block())
    place, begin, end = function.args
    *values, what, number = load_fields(builder, place, _CONTEXT)
    given = _Arguments(values[: len(_STACK_TYPES)])
    ranges = []
    wholes = ((_STACK, number, 1), (_ROWS, given.m, _HEIGHT), (_COLUMNS, given.n, _WIDTH))
    for kind, whole, unit in wholes:
        is_cut = builder.icmp_signed("==", what, I64(kind))
        stop = builder.mul(end, I64(unit))
        # a tile has all its columns in one part: the last block of columns is the longest
        least = I64(_WIDTH if kind == _COLUMNS else 1)
        is_last = builder.icmp_signed("<", builder.sub(whole, stop), least)
        stop = builder.select(is_last, whole, stop)
        ranges.append(builder.select(is_cut, builder.mul(begin, I64(unit)), I64(0)))
        ranges.append(builder.select(is_cut, stop, whole))
    builder.call(some, [*values, *ranges])
    builder.ret_void()
    return function


def _range_of_products(module: ir.Module) -> ir.Function:
    """The same with the range of matrices, of rows and of columns that are computed."""
    function = _internal(module, "range", [*_STACK_TYPES, *_WAYS, *[I64] * 6])
    is_small, fits, first, last, top, bottom, left, right = function.args[len(_STACK_TYPES) :]
    builder = ir.IRBuilder(function.append_basic_block())
    given = _Arguments(function.args[: len(_STACK_TYPES)])
    with builder.if_then(is_small):
        given.by_dtype(builder, lambda dtype: _emit_small(builder, dtype, given, first, last))
    row = builder.mul(given.n, given.item)
    is_packed = builder.icmp_unsigned("!=", given.packed, NULL)
    packed = moved(builder, given.packed, builder.mul(left, given.k), given.item)
    packed = builder.select(is_packed, packed, NULL)
    size = [builder.sub(bottom, top), builder.sub(right, left), given.k, given.n]
    axes = Axes(builder, *given.axes)
    box = _Box(builder, axes.number, given.follow, (top, left), size[:2])
    begin = moved(builder, given.a, top, given.a_strides[0])
    other = moved(builder, given.b, left, given.b_strides[1])
    with counted(builder, first, last) as index:
        a, b = axes.places(index, (begin, other), box.begin_at)
        c = moved(builder, given.c, builder.add(builder.mul(index, given.m), top), row)
        c = moved(builder, c, left, given.item)
        arguments = [*size, a, *given.a_strides, b, *given.b_strides, c, packed, fits]

        def emit(dtype: np.dtype, arguments: Sequence[ir.Value] = arguments) -> None:
            builder.call(matrix_product(module, dtype), arguments)

        given.by_dtype(builder, emit)
        box.follow()
    builder.ret_void()
    return function


def _emit_small(
    builder: ir.IRBuilder, dtype: np.dtype, given: _Arguments, first: ir.Value, last: ir.Value
) -> None:
    """Return with all done, if that can be compiled."""
    matrices = [given.a, *given.a_strides, given.b, *given.b_strides, given.c]
    some = [given.m, given.n, given.k, *matrices, *given.axes, first, last]
    with builder.if_then(SMALL[dtype.name].call(builder, *some), likely=True):
        builder.ret_void()


class _Box:
    """What follows a product, told which elements there are now."""

    def __init__(
        self,
        builder: ir.IRBuilder,
        outer: ir.Value,
        follow: Sequence[ir.Value],
        begins: Sequence[ir.Value],
        counts: Sequence[ir.Value],
    ) -> None:
        self._builder, self._follow = builder, follow
        words = builder.add(outer, I64(2))
        self._begins, self._counts = (builder.alloca(I64, size=words) for _ in range(2))
        with counted(builder, I64(0), outer) as axis:
            builder.store(I64(1), place_at(builder, self._counts, axis))
        for table, numbers in ((self._begins, begins), (self._counts, counts)):
            for number, value in enumerate(numbers):
                place = place_at(builder, table, builder.add(outer, I64(number)))
                builder.store(value, place)

    def begin_at(self, axis: ir.Value, index: ir.Value) -> None:
        """The matrix has this index along an outer axis."""
        self._builder.store(index, place_at(self._builder, self._begins, axis))

    def follow(self) -> None:
        """Do what follows, if anything does."""
        builder = self._builder
        with builder.if_then(builder.icmp_unsigned("!=", self._follow[0], NULL)):
            BOX.call(builder, *self._follow, self._begins, self._counts)


def _is_small(builder: ir.IRBuilder, dtype: np.dtype, given: _Arguments) -> ir.Value:
    """Whether ``small_products`` has a form for the matrices, of which there is a stack; nothing
    follows such small ones.
    """
    if not has_fma():
        return I1(0)
    is_small = builder.icmp_signed("==", given.b_strides[-1], I64(dtype.itemsize))
    is_small = builder.and_(is_small, builder.icmp_signed("!=", given.axes[0], I64(0)))
    for size in (given.m, given.n, given.k):
        fits = builder.icmp_signed("<=", size, I64(largest_size(dtype)))
        is_small = builder.and_(is_small, fits)
    return is_small
