"""Matrices by which a loop multiplies others in all its rounds: packed for the first of them.

In: the data and strides of such a matrix, and a slot of the function. Out: where it lies as the
tiles of a product read it, see ``blocked_products``; the slot holds the memory, an array of
NumPy's, as long as the loop runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.blocked_products import (
    ALIGNMENT,
    aligned,
    is_worth_packing,
    pack,
    packed_size,
)
from staticpy.backends.llvm.boxes import DATA, Boxes
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import I64, POINTER, form_of
from staticpy.ir import UNKNOWN, TensorType


def emit_packed(
    cx: Context,
    boxes: Boxes,
    dtype: np.dtype,
    sizes: tuple[ir.Value, ir.Value, ir.Value],
    right: Sequence[ir.Value],
    slot: ir.Value,
) -> None:
    """The body of a function: it gives where the matrix is packed, or NULL where that isn't worth
    it for a product of these sizes ``m, n, k``.
    """
    builder, (m, n, k) = cx.builder, sizes
    with builder.if_then(_is_empty(builder, slot), likely=False):
        with builder.if_then(builder.not_(is_worth_packing(builder, dtype, m, n, k))):
            builder.ret(NULL)
        length = packed_size(builder, dtype, n, k)
        length = builder.add(length, I64(ALIGNMENT // dtype.itemsize))
        made = boxes.made_array(cx, form_of(TensorType(dtype, (UNKNOWN,))), [length])
        with builder.if_then(builder.icmp_unsigned("==", made, NULL), likely=False):
            cx.call("PyErr_Clear")
            builder.ret(NULL)
        pack(builder, dtype, (n, k), right, _aligned(cx, made))
        builder.store(made, slot)
    builder.ret(_aligned(cx, builder.load(slot, typ=POINTER)))


def _is_empty(builder: ir.IRBuilder, slot: ir.Value) -> ir.Value:
    return builder.icmp_unsigned("==", builder.load(slot, typ=POINTER), NULL)


def _aligned(cx: Context, array: ir.Value) -> ir.Value:
    """The first address in the memory of an array at which a vector may lie."""
    return aligned(cx.builder, cx.builder.load(cx.at(array, DATA), typ=POINTER))
