"""Copies of arrays for loops that read elements that are neighbours.

In: where an array lies, as loops see it, and the sizes of the domain. Out: the same of a copy, in
which the elements of a row are neighbours; of an array that has such rows, the array itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from llvmlite import ir

from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.copies import CopyLoops, Walked
from staticpy.backends.llvm.forms import I1, I64, POINTER
from staticpy.backends.llvm.layouts import is_dense


class Packing:
    """Emits the copies of arrays over a domain of these sizes, one by one. ``row_axes`` axes, the
    last ones, make a row.
    """

    def __init__(self, cx: Context, sizes: Sequence[ir.Value], row_axes: int) -> None:
        self._cx = cx
        self._sizes = sizes
        self._row_axes = row_axes
        self._copies: list[tuple[ir.Value, ir.Value]] = []

    def pack(self, array: Walked, dtype: np.dtype) -> Walked:
        """A copy of ``array``, or the array itself; its data are NULL if there is no memory."""
        cx, rank, itemsize = self._cx, len(self._sizes), dtype.itemsize
        type_ = ir.FunctionType(POINTER, [POINTER, POINTER, *[I64] * (2 * rank)])
        function, body = cx.loop_function(f"pack.{rank}.{self._row_axes}.{itemsize}", type_)
        if body is not None:
            _define(body, rank, self._row_axes, itemsize)
        table = cx.variable(ir.ArrayType(I64, rank))
        data = cx.builder.call(function, [table, array.data, *array.strides, *self._sizes])
        strides = [cx.builder.load(cx.at(table, 8 * axis), typ=I64) for axis in range(rank)]
        self._copies.append((data, array.data))
        return Walked(data, strides)

    def lacks_memory(self) -> ir.Value:
        """Whether there was no memory for one of them."""
        builder = self._cx.builder
        lacks = [builder.icmp_unsigned("==", data, NULL) for data, _ in self._copies]
        return reduce(builder.or_, lacks, I1(0))

    def free(self) -> None:
        """Let go of their memory."""
        builder = self._cx.builder
        for data, original in self._copies:
            is_own = builder.icmp_unsigned("!=", data, original)
            self._cx.call("free", builder.select(is_own, data, NULL))


def _define(function: ir.Function, rank: int, row_axes: int, itemsize: int) -> None:
    """``pack(new_strides, data, strides..., sizes...)``: the data of the copy. Where an array is
    stretched, so is the copy, but for the rows.
    """
    builder = ir.IRBuilder(function.append_basic_block())
    table, data, *rest = function.args
    strides, sizes = rest[:rank], rest[rank:]
    with builder.if_then(is_dense(builder, sizes[-row_axes:], strides[-row_axes:], itemsize)):
        _store(builder, table, strides)
        builder.ret(data)
    length: ir.Value = I64(itemsize)
    new: list[ir.Value] = []
    for axis in reversed(range(rank)):
        if axis >= rank - row_axes:
            new.insert(0, length)
        else:
            is_stretched = builder.icmp_signed("==", strides[axis], I64(0))
            new.insert(0, builder.select(is_stretched, I64(0), length))
            sizes[axis] = builder.select(is_stretched, I64(1), sizes[axis])
        length = builder.mul(length, sizes[axis])
    _store(builder, table, new)
    made = builder.call(declare(function.module, "malloc"), [builder.add(length, I64(1))])
    with builder.if_then(builder.icmp_unsigned("!=", made, NULL)):
        CopyLoops(builder, itemsize, sizes).axis(0, Walked(made, new), Walked(data, strides))
    builder.ret(made)


def _store(builder: ir.IRBuilder, table: ir.Value, numbers: Sequence[ir.Value]) -> None:
    for place, number in enumerate(numbers):
        builder.store(number, builder.gep(table, [I64(place)], source_etype=I64))
