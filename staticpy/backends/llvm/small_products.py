"""Products of small matrices in stacks, for which a call of the BLAS takes longer than the product.

In: sizes of up to ``largest_size``, data and strides; the rows of the second matrix lie dense. Out:
a function that is compiled when it is first called. Each row of the product is in one register, to
which products are added one after the other, each with one rounding. So does OpenBLAS on such a
processor, which multiplies by zeros, too, what is beyond the row: with an infinity that raises a
flag, and NumPy warns.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I32, I64, POINTER, register_type
from staticpy.backends.llvm.late import LateFunction
from staticpy.backends.llvm.stack_axes import AXES_TYPES, Axes
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import (
    constant,
    declare_intrinsic,
    masked_load,
    masked_store,
    moved,
    splat,
)

_REGISTER = 64
"""The bytes of a register, or of two smaller ones."""


def largest_size(dtype: np.dtype) -> int:
    """Up to so many rows, columns and products for each element no BLAS was faster."""
    return 7 if dtype.itemsize == 4 else 5


_MATRIX = [POINTER, I64, I64]
_ARGUMENTS = [*[I64] * 3, *_MATRIX, *_MATRIX, POINTER, *AXES_TYPES, I64, I64]
"""``m, n, k, a, its strides, b, its strides, c, outer axes, first, last``."""


def _compiled(name: str, dtype: np.dtype) -> Code:
    module = ir.Module(name)
    _define(ir.Function(module, ir.FunctionType(I64, _ARGUMENTS), name), dtype)
    return compile_modules([(module, Effort.LOOPS)], [name])


def _late(dtype: str) -> LateFunction:
    name = f"small.{dtype}"
    made = once(partial(_compiled, name, np.dtype(dtype)))
    return LateFunction(f"{name}.entry", _ARGUMENTS, lambda: made().address(name))


SMALL = {dtype: _late(dtype) for dtype in ("float32", "float64")}
"""The products of a range of a stack, for each dtype; on a processor that has FMA: others round
twice.
"""


def _define(function: ir.Function, dtype: np.dtype) -> None:
    """Along the last of the outer axes the places of matrices are a stride apart."""
    m, n, k, a, a_row, a_column, b, b_row, _, c, *outer, first, last = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    product = _Product(builder, dtype, n)
    size = builder.mul(builder.mul(m, n), I64(dtype.itemsize))
    axes = Axes(builder, *outer)
    length, *strides = axes.axis(builder.sub(axes.number, I64(1)))
    final = builder.sdiv(builder.sub(last, I64(1)), length)
    with counted(builder, builder.sdiv(first, length), builder.add(final, I64(1))) as line:
        begin = builder.mul(line, length)
        end = builder.add(begin, length)
        start = builder.select(builder.icmp_signed(">", first, begin), first, begin)
        stop = builder.select(builder.icmp_signed("<", last, end), last, end)
        places = axes.places(begin, (a, b))
        with counted(builder, start, stop) as index:
            here = builder.sub(index, begin)
            left, right = (
                moved(builder, place, here, stride)
                for place, stride in zip(places, strides, strict=True)
            )
            to = moved(builder, c, index, size)
            product.emit((m, k), (left, a_row, a_column), (right, b_row), to)
    builder.ret(I64(1))


class _Product:
    """Emits one product; made outside of the loops."""

    def __init__(self, builder: ir.IRBuilder, dtype: np.dtype, n: ir.Value) -> None:
        number = register_type(dtype)
        count = _REGISTER // dtype.itemsize
        self._builder, self._number = builder, number
        self._vector = vector = ir.VectorType(number, count)
        lanes = ir.Constant(ir.VectorType(I32, count), [I32(lane) for lane in range(count)])
        columns = splat(builder, builder.trunc(n, I32), count)
        self._mask = builder.icmp_unsigned("<", lanes, columns)
        self._width = builder.mul(n, I64(dtype.itemsize))
        self._align = I32(dtype.itemsize)
        self._total = builder.alloca(vector)
        self._fma = declare_intrinsic(builder.module, "llvm.fma", vector, 3)
        self._load = masked_load(builder.module, vector)
        self._store = masked_store(builder.module, vector)

    def emit(
        self,
        sizes: tuple[ir.Value, ir.Value],
        left: tuple[ir.Value, ir.Value, ir.Value],
        right: tuple[ir.Value, ir.Value],
        to: ir.Value,
    ) -> None:
        """``m, k``, and where the matrices lie, with their strides; those columns of the second
        have none.
        """
        builder, vector = self._builder, self._vector
        (m, k), (a, a_row, a_column), (b, b_row) = sizes, left, right
        zero = constant(vector, 0)
        with counted(builder, I64(0), m) as row:
            factors = moved(builder, a, row, a_row)
            builder.store(zero, self._total)
            with counted(builder, I64(0), k) as index:
                place = moved(builder, factors, index, a_column)
                factor = splat(builder, builder.load(place, typ=self._number), vector.count)
                others = [moved(builder, b, index, b_row), self._align, self._mask, zero]
                before = builder.load(self._total, typ=vector)
                terms = [factor, builder.call(self._load, others), before]
                builder.store(builder.call(self._fma, terms), self._total)
            there = moved(builder, to, row, self._width)
            total = builder.load(self._total, typ=vector)
            builder.call(self._store, [total, there, self._align, self._mask])
