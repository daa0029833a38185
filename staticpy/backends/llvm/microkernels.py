"""A tile of a product of matrices: as many of its elements as the registers hold.

In: some rows of one matrix, some columns of another. Out: their product, or the sum of it and of
what is there. A vector of a row of ``b`` is multiplied by one number of each row of ``a``, and so
on for the next row of ``b``: each element is one sum in that order, with one rounding for each
product. (The micro-kernel of F. Van Zee and R. van de Geijn, BLIS, ACM TOMS 41, 2015.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.engine import register_bytes
from staticpy.backends.llvm.forms import I1, I64, POINTER, register_type
from staticpy.backends.llvm.vectors import constant, declare_intrinsic, moved, splat

ROWS, VECTORS = 8, 2
"""Of a tile. Its 16 sums are twice what two units that take four cycles can have begun; with two
vectors of ``b`` they are in registers, of which AVX-512 has 32.
"""

MICROKERNEL = ir.FunctionType(
    ir.VoidType(), [I64, I64, POINTER, I64, I64, POINTER, I64, POINTER, I64, I1]
)
"""``f(rows, depth, a, its strides, b, its row stride, c, its row stride, adds)``."""


def tile_vector(dtype: np.dtype) -> ir.VectorType:
    """A register full of elements."""
    return ir.VectorType(register_type(dtype), register_bytes() // dtype.itemsize)


def tile_width(dtype: np.dtype) -> int:
    """How many columns a tile has."""
    return VECTORS * int(tile_vector(dtype).count)


def define_microkernel(function: ir.Function, dtype: np.dtype) -> None:
    """Of all columns of a tile, and of up to all of its rows: there can be more, but not none."""
    builder = ir.IRBuilder(function.append_basic_block())
    height, depth, a, a_row, a_column, b, b_row, c, c_row, adds = function.args
    item, vector = dtype.itemsize, tile_vector(dtype)
    last = builder.sub(height, I64(1))
    left, target = [], []
    for row in range(ROWS):
        # A row beyond the last one is it again: that computes and stores the same.
        is_there = builder.icmp_signed("<", I64(row), last)
        here = builder.select(is_there, I64(row), last)
        left.append(moved(builder, a, here, a_row))
        place = moved(builder, c, here, c_row)
        target += [
            moved(builder, place, I64(number), I64(vector.count * item))
            for number in range(VECTORS)
        ]
    entry, added, body, rest = builder.block, *(builder.append_basic_block() for _ in range(3))
    builder.cbranch(adds, added, body)
    builder.position_at_end(added)
    before = [builder.load(place, typ=vector, align=item) for place in target]
    builder.branch(body)
    builder.position_at_end(body)
    index, numbers, others = builder.phi(I64), builder.phi(I64), builder.phi(POINTER)
    sums = [builder.phi(vector) for _ in target]
    done = _products(builder, vector, item, (left, numbers), others, sums)
    following = builder.add(index, I64(1))
    for phi, first, then in (
        (index, I64(0), following),
        (numbers, I64(0), builder.add(numbers, a_column)),
        (others, b, moved(builder, others, I64(1), b_row)),
    ):
        phi.add_incoming(first, entry)
        phi.add_incoming(first, added)
        phi.add_incoming(then, body)
    for phi, known, then in zip(sums, before, done, strict=True):
        phi.add_incoming(constant(vector, 0), entry)
        phi.add_incoming(known, added)
        phi.add_incoming(then, body)
    builder.cbranch(builder.icmp_signed("<", following, depth), body, rest)
    builder.position_at_end(rest)
    for value, place in zip(done, target, strict=True):
        builder.store(value, place, align=item)
    builder.ret_void()


def _products(
    builder: ir.IRBuilder,
    vector: ir.VectorType,
    item: int,
    left: tuple[Sequence[ir.Value], ir.Value],
    right: ir.Value,
    sums: Sequence[ir.Value],
) -> list[ir.Value]:
    """The sums, with the products of one column of ``a`` and one row of ``b`` added to them."""
    fma = declare_intrinsic(builder.module, "llvm.fma", vector, 3)
    places = [
        moved(builder, right, I64(number), I64(vector.count * item)) for number in range(VECTORS)
    ]
    others = [builder.load(place, typ=vector, align=item) for place in places]
    rows, offset = left
    done: list[ir.Value] = []
    for row in rows:
        number = builder.load(moved(builder, row, I64(1), offset), typ=vector.element)
        factor = splat(builder, number, vector.count)
        for other in others:
            done.append(builder.call(fma, [factor, other, sums[len(done)]]))
    return done
