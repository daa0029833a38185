"""Products of small matrices in stacks, for which a call of the BLAS takes longer than the product.

In: sizes of up to ``largest_size``, data and strides; the rows of the second matrix lie dense. Out:
a function of the module of the loops. Each row of the product is in one register, to which products
are added one after the other, each with one rounding. So does OpenBLAS on such a processor, which
multiplies by zeros, too, what is beyond the row: with an infinity that raises a flag, and NumPy
warns.
"""

from __future__ import annotations

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import has_fma
from staticpy.backends.llvm.forms import I32, I64, register_type
from staticpy.backends.llvm.gemm import PRODUCT
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


def small_product(cx: Context, dtype: np.dtype) -> ir.Function | None:
    """``f(m, n, k, columns, a, its strides, b, its strides, c)``, as ``gemm.single_product`` is
    called; None where this processor rounds twice.
    """
    if not has_fma():
        return None
    type_ = ir.FunctionType(ir.VoidType(), PRODUCT)
    function, body = cx.loop_function(f"small.{dtype}", type_)
    if body is not None:
        _define(body, dtype)
    return function


def _define(function: ir.Function, dtype: np.dtype) -> None:
    m, n, k, columns, a, a_row, a_column, b, b_row, _, c = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    number = register_type(dtype)
    count = _REGISTER // dtype.itemsize
    vector = ir.VectorType(number, count)
    lanes = ir.Constant(ir.VectorType(I32, count), [I32(lane) for lane in range(count)])
    mask = builder.icmp_unsigned("<", lanes, splat(builder, builder.trunc(n, I32), count))
    zero = constant(vector, 0)
    fma = declare_intrinsic(builder.module, "llvm.fma", vector, 3)
    load, store = masked_load(builder.module, vector), masked_store(builder.module, vector)
    align = I32(dtype.itemsize)
    width = builder.mul(columns, I64(dtype.itemsize))
    total = builder.alloca(vector)
    with counted(builder, I64(0), m) as row:
        left = moved(builder, a, row, a_row)
        builder.store(zero, total)
        with counted(builder, I64(0), k) as index:
            factor = builder.load(moved(builder, left, index, a_column), typ=number)
            right = moved(builder, b, index, b_row)
            factors = splat(builder, factor, count)
            others = builder.call(load, [right, align, mask, zero])
            before = builder.load(total, typ=vector)
            builder.store(builder.call(fma, [factors, others, before]), total)
        place = moved(builder, c, row, width)
        builder.call(store, [builder.load(total, typ=vector), place, align, mask])
    builder.ret_void()
