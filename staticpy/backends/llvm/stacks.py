"""Stacks of products of matrices, on several threads where they are large.

In: sizes, data and strides of two stacks of matrices. Out: their products, one after the other. A
large stack is cut between matrices, a large matrix along its rows or columns; where a part asks the
BLAS for a smaller product, that takes no threads of its own. No part waits for another, and the
bits don't depend on how many threads there are. What is done to the elements next can be done to
each part while it is in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.blas import number_of_threads
from staticpy.backends.llvm.blocked_products import is_fit, matrix_product, prepare_products
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I64, POINTER
from staticpy.backends.llvm.gemm import defined
from staticpy.backends.llvm.packing import place_at
from staticpy.backends.llvm.parts import BOX
from staticpy.backends.llvm.pool import emit_run
from staticpy.backends.llvm.small_products import largest_size, small_product
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


class _Arguments:
    """``sizes of the outer axes, m, n, k``, for both stacks ``data, strides``, the result, where
    ``b`` is packed, or NULL, and what follows: ``loops, table, shape``, see ``parts``, or NULL for
    the loops; whether these take rows as a whole.
    """

    def __init__(self, values: Sequence[ir.Value], outer: int) -> None:
        rest = iter(values)
        self.outer = [next(rest) for _ in range(outer)]
        self.m, self.n, self.k = (next(rest) for _ in range(3))
        self.a, *self.a_strides = (next(rest) for _ in range(outer + 3))
        self.b, *self.b_strides = (next(rest) for _ in range(outer + 3))
        self.c, self.packed = next(rest), next(rest)
        *self.follow, self.keeps_rows = rest


def _types(outer: int) -> list[ir.Type]:
    stack = [POINTER, *[I64] * (outer + 2)]
    return [*[I64] * (outer + 3), *stack, *stack, *[POINTER] * 2, *[POINTER] * 3, I1]


def stacked_products(cx: Context, dtype: np.dtype, outer: int) -> ir.Function:
    """``f(outer sizes, m, n, k, a, its strides, b, its strides, c, packed b, what follows)``: for
    each index of the outer axes a product, which it stores to ``c``, and what follows.
    """
    module = cx.module
    some = _range_of_products(module, dtype, outer, small_product(cx, dtype) if outer else None)

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        given = _Arguments(args, outer)
        count = reduce(builder.mul, given.outer, I64(1))
        if number_of_threads() is not None:
            _cut(builder, dtype, given, count, some)
        builder.call(some, [*args, I64(0), count, I64(0), given.m, I64(0), given.n])
        builder.ret_void()

    return defined(module, f"stack.{dtype}.{outer}", _types(outer), ir.VoidType(), emit)


def _cut(
    builder: ir.IRBuilder,
    dtype: np.dtype,
    given: _Arguments,
    number: ir.Value,
    some: ir.Function,
) -> None:
    """Return with all done where it is worth it."""
    work = reduce(builder.mul, [number, given.m, given.n, given.k])
    with builder.if_then(builder.icmp_signed(">", work, I64(_LONG))):
        prepare_products(builder, dtype, given.b_strides[-1])
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
        context = ir.LiteralStructType([*_types(len(given.outer)), I64, I64])
        place = builder.alloca(context)
        store_fields(builder, place, context, (*builder.function.args, what, number))
        part = _part(some, dtype, len(given.outer), context)
        calls_blas = builder.not_(is_fit(builder, dtype, given.m, given.n, given.k))
        calls_blas = builder.zext(calls_blas, I64)
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


def _part(
    some: ir.Function, dtype: np.dtype, outer: int, context: ir.LiteralStructType
) -> ir.Function:
    """``part(context, begin, end)``, of matrices, or of blocks of rows or columns."""

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        place, begin, end = args
        *values, what, number = load_fields(builder, place, context)
        given = _Arguments(values, outer)
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

    return defined(some.module, f"stack.{dtype}.{outer}.part", PART.args, ir.VoidType(), emit)


def _range_of_products(
    module: ir.Module, dtype: np.dtype, outer: int, small: ir.Function | None
) -> ir.Function:
    """The same with the range of matrices, of rows and of columns that are computed. ``small`` does
    the small ones.
    """
    single = matrix_product(module, dtype)

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        given = _Arguments(args[:-6], outer)
        first, last, top, bottom, left, right = args[-6:]
        item = I64(dtype.itemsize)
        row = builder.mul(given.n, item)
        is_small = _is_small(builder, dtype, given)
        fits = is_fit(builder, dtype, given.m, given.n, given.k)
        places = [builder.alloca(ir.ArrayType(I64, outer + 2)) for _ in range(2)]
        is_packed = builder.icmp_unsigned("!=", given.packed, NULL)
        packed = moved(builder, given.packed, builder.mul(left, given.k), item)
        packed = builder.select(is_packed, packed, NULL)
        with counted(builder, first, last) as index:
            a, b = given.a, given.b
            rest, begins = index, [top, left]
            for axis in reversed(range(outer)):
                here = builder.srem(rest, given.outer[axis]) if axis else rest
                rest = builder.sdiv(rest, given.outer[axis]) if axis else rest
                begins.insert(0, here)
                a = moved(builder, a, here, given.a_strides[axis])
                b = moved(builder, b, here, given.b_strides[axis])
            a = moved(builder, a, top, given.a_strides[-2])
            b = moved(builder, b, left, given.b_strides[-1])
            c = moved(builder, given.c, builder.add(builder.mul(index, given.m), top), row)
            c = moved(builder, c, left, item)
            sizes = [builder.sub(bottom, top), builder.sub(right, left), given.k, given.n]
            strides = given.a_strides[-2:], given.b_strides[-2:]
            arguments = [*sizes, a, *strides[0], b, *strides[1], c]
            whole = [*arguments, packed, fits]
            if small is None:
                builder.call(single, whole)
            else:
                with builder.if_else(is_small) as (then, otherwise):
                    with then:
                        builder.call(small, arguments)
                    with otherwise:
                        builder.call(single, whole)
            with builder.if_then(builder.icmp_unsigned("!=", given.follow[0], NULL)):
                counts = [*[I64(1)] * outer, *sizes[:2]]
                for place, numbers in zip(places, (begins, counts), strict=True):
                    for axis, number in enumerate(numbers):
                        builder.store(number, place_at(builder, place, I64(axis)))
                BOX.call(builder, *given.follow, *places)
        builder.ret_void()

    types = [*_types(outer), *[I64] * 6]
    return defined(module, f"stack.{dtype}.{outer}.range", types, ir.VoidType(), emit)


def _is_small(builder: ir.IRBuilder, dtype: np.dtype, given: _Arguments) -> ir.Value:
    """Whether ``small_product`` has a form for the matrices."""
    is_small = builder.icmp_signed("==", given.b_strides[-1], I64(dtype.itemsize))
    for size in (given.m, given.n, given.k):
        fits = builder.icmp_signed("<=", size, I64(largest_size(dtype)))
        is_small = builder.and_(is_small, fits)
    return is_small
