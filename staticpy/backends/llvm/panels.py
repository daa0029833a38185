"""Panels of a matrix: as many of its columns as a tile has, row after row, as tiles read them.

In: where a panel begins, how many rows it has, and the stride of its rows, or else of its columns,
where the others are dense. Out: a copy of it in a buffer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I32, I64, POINTER, register_type
from staticpy.backends.llvm.microkernels import VECTORS, tile_vector, tile_width
from staticpy.backends.llvm.vectors import moved

PACK = ir.FunctionType(ir.VoidType(), [I64, POINTER, I64, POINTER])
"""``f(depth, b, stride, buffer)``."""

_SIDE = 4
"""Of the squares that are transposed in registers."""


def define_rows_packed(function: ir.Function, dtype: np.dtype) -> None:
    """Where rows are dense: each is loaded as it is stored."""
    builder = ir.IRBuilder(function.append_basic_block())
    depth, b, stride, buffer = function.args
    vector = tile_vector(dtype)
    size = I64(vector.count * dtype.itemsize)
    with counted(builder, I64(0), depth) as index:
        here = moved(builder, b, index, stride)
        there = moved(builder, buffer, index, I64(tile_width(dtype) * dtype.itemsize))
        for number in range(VECTORS):
            place = moved(builder, here, I64(number), size)
            value = builder.load(place, typ=vector, align=dtype.itemsize)
            builder.store(value, moved(builder, there, I64(number), size))
    builder.ret_void()


def define_columns_packed(function: ir.Function, dtype: np.dtype) -> None:
    """Where columns are dense: squares are transposed, and what is left below them one by one. It
    gives 1.
    """
    builder = ir.IRBuilder(function.append_basic_block())
    depth, b, stride, buffer = function.args
    item = I64(dtype.itemsize)
    row = I64(tile_width(dtype) * dtype.itemsize)
    square = ir.VectorType(register_type(dtype), _SIDE)
    whole = builder.and_(depth, I64(-_SIDE))
    with counted(builder, I64(0), I64(tile_width(dtype)), _SIDE) as first:
        columns = [
            moved(builder, b, builder.add(first, I64(number)), stride) for number in range(_SIDE)
        ]
        target = moved(builder, buffer, first, item)
        with counted(builder, I64(0), whole, _SIDE) as index:
            places = [moved(builder, column, index, item) for column in columns]
            taken = [builder.load(place, typ=square, align=dtype.itemsize) for place in places]
            for number, value in enumerate(_transposed(builder, taken)):
                there = moved(builder, target, builder.add(index, I64(number)), row)
                builder.store(value, there)
        with counted(builder, whole, depth) as index:
            there = moved(builder, target, index, row)
            for number, column in enumerate(columns):
                value = builder.load(moved(builder, column, index, item), typ=square.element)
                builder.store(value, moved(builder, there, I64(number), item))
    builder.ret_void()


def _transposed(builder: ir.IRBuilder, rows: Sequence[ir.Value]) -> list[ir.Value]:
    """The columns of four rows."""
    pairs = rows[:2], rows[2:]
    lower = [_mixed(builder, pair, (0, 4, 1, 5)) for pair in pairs]
    upper = [_mixed(builder, pair, (2, 6, 3, 7)) for pair in pairs]
    return [
        _mixed(builder, pair, places)
        for pair in (lower, upper)
        for places in ((0, 1, 4, 5), (2, 3, 6, 7))
    ]


def _mixed(builder: ir.IRBuilder, pair: Sequence[ir.Value], places: Sequence[int]) -> ir.Value:
    type_ = ir.VectorType(I32, len(places))
    one, other = pair
    return builder.shuffle_vector(one, other, ir.Constant(type_, [I32(place) for place in places]))
