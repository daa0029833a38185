"""Products of matrices by code of staticpy's own, where the processor has AVX-512.

In: as ``gemm.single_product``. Out: the product, in blocks that stay in the cache: some rows of a
panel of ``b`` are multiplied by all of ``a`` before the next ones are. (K. Goto and R. van de
Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS 34, 2008.) The last panel begins
where it is whole, and so has columns of the one before. The code is compiled once for a
process; its loops around tiles are not worth much of that time. A ``b`` by which many matrices are
multiplied one after the other can be packed as a whole before, panel after panel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.blas import has_short_vectors
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once, register_bytes
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER
from staticpy.backends.llvm.gemm import PRODUCT, defined, single_product
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.microkernels import (
    MICROKERNEL,
    ROWS,
    define_microkernel,
    tile_width,
)
from staticpy.backends.llvm.panels import PACK, define_columns_packed, define_rows_packed
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import moved

_PACKED_PRODUCT = [*PRODUCT, POINTER]
"""The arguments of products here: behind them is ``b``, packed, or NULL."""

_PACK = [*[I64] * 2, POINTER, *[I64] * 2, POINTER]
"""``n, k, b, its strides, buffer``."""

_DEPTH = 256
"""The most rows of a block: it has 32 KiB with AVX-512, which the first cache holds."""

ALIGNMENT = 64
"""That of the longest vector, and of a line of the cache."""

_MOST_PACKED = 1 << 20
"""The bytes of ``b`` up to which it is packed as a whole."""

_WASTE = {True: (7, 4), False: (8, 7)}
"""Tiles of no more than 7/4 of the elements of the product are faster than a BLAS with vectors of
half the length, of no more than 8/7 faster than one with vectors like these.
"""

_LARGE = 1 << 19
"""The bytes of ``a`` from which on such a BLAS, which copies it as well, is faster."""


@cache
def is_own() -> bool:
    """Whether products are computed here that are large enough."""
    return register_bytes() == ALIGNMENT


def called_by_all() -> list[LinkedFunction]:
    """What products of all functions call."""
    every = (*_FUNCTIONS.values(), *_PACKS.values(), *_COLUMNS.values())
    return [*every] if is_own() else []


def is_worth_packing(
    builder: ir.IRBuilder, dtype: np.dtype, m: ir.Value, n: ir.Value, k: ir.Value
) -> ir.Value:
    """Whether ``b`` is packed for each product of these sizes, if it isn't before, and that takes
    long beside what is computed with it, as it does while the cache holds all of it.
    """
    is_packed = builder.icmp_signed(">", m, I64(ROWS))
    size = builder.mul(packed_size(builder, dtype, n, k), I64(dtype.itemsize))
    is_held = builder.icmp_signed("<=", size, I64(_MOST_PACKED))
    return builder.and_(builder.and_(is_packed, is_held), is_fit(builder, dtype, m, n, k))


def packed_size(builder: ir.IRBuilder, dtype: np.dtype, n: ir.Value, k: ir.Value) -> ir.Value:
    """How many elements ``b`` has when it is packed."""
    return builder.mul(_in_whole(builder, n, tile_width(dtype)), k)


def aligned(builder: ir.IRBuilder, place: ir.Value) -> ir.Value:
    """The first address from ``place`` on at which a vector may lie."""
    above = builder.add(builder.ptrtoint(place, I64), I64(ALIGNMENT - 1))
    return builder.inttoptr(builder.and_(above, I64(-ALIGNMENT)), POINTER)


def pack(
    builder: ir.IRBuilder,
    dtype: np.dtype,
    sizes: Sequence[ir.Value],
    b: Sequence[ir.Value],
    buffer: ir.Value,
) -> None:
    """Pack ``b``, of which data and strides are given, and ``n`` and ``k``, to a buffer that is
    aligned as vectors are.
    """
    _PACKS[dtype.name].call(builder, *sizes, *b, buffer)


def matrix_product(module: ir.Module, dtype: np.dtype) -> ir.Function:
    """``gemm.single_product``; behind its arguments are ``b``, packed, or NULL, and what ``is_fit``
    says of the whole product that this is a part of, so that its bits don't depend on the parts.
    """
    blas = single_product(module, dtype)

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        *given, packed, fits = args
        if is_own():
            with builder.if_then(fits):
                _FUNCTIONS[dtype.name].call(builder, *given, packed)
                builder.ret_void()
        builder.call(blas, given)
        builder.ret_void()

    return defined(module, f"product.{dtype}", [*_PACKED_PRODUCT, I1], ir.VoidType(), emit)


def is_fit(
    builder: ir.IRBuilder, dtype: np.dtype, m: ir.Value, n: ir.Value, k: ir.Value
) -> ir.Value:
    """Whether a product is computed here: there is a whole tile, most of the others are, and the
    BLAS isn't faster.
    """
    if not is_own():
        return I1(0)
    width = tile_width(dtype)
    rows, columns = _in_whole(builder, m, ROWS), _in_whole(builder, n, width)
    computed, wanted = builder.mul(rows, columns), builder.mul(m, n)
    by = _WASTE[has_short_vectors()]
    most, least = (
        builder.mul(each, I64(number)) for each, number in zip((wanted, computed), by, strict=True)
    )
    is_much = builder.icmp_signed(">=", n, I64(width))
    is_better = builder.and_(is_much, builder.icmp_signed("<=", least, most))
    if has_short_vectors():
        return is_better
    size = builder.mul(builder.mul(m, k), I64(dtype.itemsize))
    return builder.and_(is_better, builder.icmp_signed("<=", size, I64(_LARGE)))


def _in_whole(builder: ir.IRBuilder, size: ir.Value, unit: int) -> ir.Value:
    """A size, up to the next multiple of a power of two."""
    return builder.and_(builder.add(size, I64(unit - 1)), I64(-unit))


def _linked(
    name: str, arguments: Sequence[ir.Type], compile_: Callable[[str, np.dtype], Code]
) -> dict[str, LinkedFunction]:
    """A function for each dtype of products."""

    def of(dtype: str) -> LinkedFunction:
        full = f"{name}.{dtype}"
        made = once(partial(compile_, full, np.dtype(dtype)))
        type_ = ir.FunctionType(ir.VoidType(), arguments)
        return LinkedFunction(f"{full}.entry", type_, lambda: made().address(full))

    return {dtype: of(dtype) for dtype in ("float32", "float64")}


def _compiled(name: str, dtype: np.dtype) -> Code:
    outer, inner = ir.Module(name), ir.Module(f"tiles.{dtype}")
    define_microkernel(ir.Function(inner, MICROKERNEL, "tile"), dtype)
    define_rows_packed(ir.Function(inner, PACK, "rows"), dtype)
    _define(ir.Function(outer, _FUNCTIONS[dtype.name].type, name), dtype)
    return compile_modules([(outer, Effort.RARELY), (inner, Effort.LOOPS)], [name])


def _compiled_pack(name: str, dtype: np.dtype) -> Code:
    outer, inner = ir.Module(name), ir.Module(f"rows.{dtype}")
    define_rows_packed(ir.Function(inner, PACK, "rows"), dtype)
    _define_pack(ir.Function(outer, _PACKS[dtype.name].type, name), dtype)
    return compile_modules([(outer, Effort.RARELY), (inner, Effort.LOOPS)], [name])


def _compiled_columns(name: str, dtype: np.dtype) -> Code:
    module = ir.Module(name)
    define_columns_packed(ir.Function(module, PACK, name), dtype)
    return compile_modules([(module, Effort.LOOPS)], [name])


_FUNCTIONS = _linked("blocked", _PACKED_PRODUCT, _compiled)
_PACKS = _linked("packed", _PACK, _compiled_pack)
_COLUMNS = _linked("columns", PACK.args, _compiled_columns)


def _define(function: ir.Function, dtype: np.dtype) -> None:
    m, n, k, columns, a, a_row, a_column, b, b_row, b_column, c, packed = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    item, width = I64(dtype.itemsize), tile_width(dtype)
    tile = builder.module.declared("tile", MICROKERNEL)
    length = _DEPTH * width * dtype.itemsize + ALIGNMENT
    buffer = aligned(builder, builder.alloca(ir.ArrayType(I8, length)))
    c_row = builder.mul(columns, item)
    most = _depth(builder, k)
    with counted(builder, I64(0), n, width) as column:
        begin = _least(builder, column, builder.sub(n, I64(width)))
        right = moved(builder, b, begin, b_column)
        to = moved(builder, c, begin, item)
        with counted(builder, I64(0), k, most) as index:
            depth = _least(builder, most, builder.sub(k, index))
            source = moved(builder, right, index, b_row)
            before = builder.add(builder.mul(column, k), builder.mul(index, I64(width)))
            ready = moved(builder, packed, before, item)
            ready = builder.select(builder.icmp_unsigned("==", packed, NULL), NULL, ready)
            block = _block(builder, dtype, m, depth, (source, b_row, b_column), (ready, buffer))
            left = moved(builder, a, index, a_column)
            adds = builder.icmp_signed(">", index, I64(0))
            with counted(builder, I64(0), m, ROWS) as row:
                operands = [moved(builder, left, row, a_row), a_row, a_column, *block]
                target = moved(builder, to, row, c_row)
                height = builder.sub(m, row)
                builder.call(tile, [height, depth, *operands, target, c_row, adds])
    builder.ret_void()


def _least(builder: ir.IRBuilder, one: ir.Value, other: ir.Value) -> ir.Value:
    return builder.select(builder.icmp_signed("<", one, other), one, other)


def _depth(builder: ir.IRBuilder, k: ir.Value) -> ir.Value:
    """The rows of blocks of about one size."""
    count = builder.sdiv(builder.add(k, I64(_DEPTH - 1)), I64(_DEPTH))
    depth = builder.sdiv(builder.add(k, builder.sub(count, I64(1))), count)
    return builder.and_(builder.add(depth, I64(3)), I64(-4))


def _block(
    builder: ir.IRBuilder,
    dtype: np.dtype,
    m: ir.Value,
    depth: ir.Value,
    matrix: tuple[ir.Value, ir.Value, ir.Value],
    places: tuple[ir.Value, ir.Value],
) -> tuple[ir.Value, ir.Value]:
    """Where a block is, and the stride of its rows. It is copied to the second of ``places``, but
    not if it is read only once, or if it is ready: at the first, which isn't NULL then.
    """
    source, row, column = matrix
    ready, buffer = places
    is_ready = builder.icmp_unsigned("!=", ready, NULL)
    is_dense = builder.icmp_signed("==", column, I64(dtype.itemsize))
    is_there = builder.and_(is_dense, builder.icmp_signed("<=", m, I64(ROWS)))
    is_there = builder.and_(is_there, builder.not_(is_ready))
    with builder.if_then(builder.not_(builder.or_(is_ready, is_there))):
        _pack_panel(builder, dtype, depth, matrix, is_dense, buffer)
    stride = builder.select(is_there, row, I64(tile_width(dtype) * dtype.itemsize))
    place = builder.select(is_ready, ready, buffer)
    return builder.select(is_there, source, place), stride


def _pack_panel(
    builder: ir.IRBuilder,
    dtype: np.dtype,
    depth: ir.Value,
    matrix: tuple[ir.Value, ir.Value, ir.Value],
    is_dense: ir.Value,
    buffer: ir.Value,
) -> None:
    """Copy some rows of a panel."""
    source, row, column = matrix
    with builder.if_else(is_dense) as (then, otherwise):
        with then:
            rows = builder.module.declared("rows", PACK)
            builder.call(rows, [depth, source, row, buffer])
        with otherwise:
            _COLUMNS[dtype.name].call(builder, depth, source, column, buffer)


def _define_pack(function: ir.Function, dtype: np.dtype) -> None:
    n, k, b, b_row, b_column, buffer = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    item, width = I64(dtype.itemsize), tile_width(dtype)
    is_dense = builder.icmp_signed("==", b_column, item)
    with counted(builder, I64(0), n, width) as column:
        begin = _least(builder, column, builder.sub(n, I64(width)))
        panel = moved(builder, b, begin, b_column), b_row, b_column
        there = moved(builder, buffer, builder.mul(column, k), item)
        _pack_panel(builder, dtype, k, panel, is_dense, there)
    builder.ret_void()
