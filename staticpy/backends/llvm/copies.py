"""Copying the elements of one array to another of the same sizes, however the two lie.

In: sizes, and for each array data and strides. Out: a call of a function of the module, one for
each rank and size of an element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from llvmlite import ir

from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """An array as loops see it: data, and a stride in bytes for each axis."""

    data: ir.Value
    strides: Sequence[ir.Value]


def copy(
    cx: Context, sizes: Sequence[ir.Value], itemsize: int, target: Walked, source: Walked
) -> None:
    """Copy ``source`` to ``target``, of the same sizes, which it doesn't overlap."""
    name, rank = f"copy.{len(sizes)}.{itemsize}", len(sizes)
    array = [POINTER, *[I64] * rank]
    type_ = ir.FunctionType(ir.VoidType(), [*[I64] * rank, *array, *array])
    function, body = cx.loop_function(name, type_)
    if body is not None:
        _define(body, rank, itemsize)
    arrays = [part for each in (target, source) for part in (each.data, *each.strides)]
    cx.builder.call(function, [*sizes, *arrays])


def _define(function: ir.Function, rank: int, itemsize: int) -> None:
    sizes, rest = function.args[:rank], function.args[rank:]
    target, source = (Walked(part[0], part[1:]) for part in (rest[: rank + 1], rest[rank + 1 :]))
    builder = ir.IRBuilder(function.append_basic_block())
    CopyLoops(builder, itemsize, sizes).axis(0, target, source)
    builder.ret_void()


class CopyLoops:
    """Emits the loops, one within another; along the last axis all at once where there are no
    gaps.
    """

    def __init__(self, builder: ir.IRBuilder, itemsize: int, sizes: Sequence[ir.Value]) -> None:
        self._builder = builder
        self._itemsize = itemsize
        self._sizes = sizes

    def axis(self, axis: int, target: Walked, source: Walked) -> None:
        """Copy what is at one place of the axes before ``axis``."""
        builder = self._builder
        if axis == len(self._sizes):
            element = ir.IntType(8 * self._itemsize)
            value = builder.load(source.data, typ=element, align=1)
            builder.store(value, target.data, align=1)
            return
        if axis < len(self._sizes) - 1:
            self._loop(axis, target, source)
            return
        whole: ir.Value = reduce(
            builder.and_,
            [
                builder.icmp_signed("==", each.strides[axis], I64(self._itemsize))
                for each in (target, source)
            ],
        )
        with builder.if_else(whole) as (then, otherwise):
            with then:
                memcpy = builder.module.declare_intrinsic("llvm.memcpy", [POINTER, POINTER, I64])
                length = builder.mul(self._sizes[axis], I64(self._itemsize))
                builder.call(memcpy, [target.data, source.data, length, I1(0)])
            with otherwise:
                self._loop(axis, target, source)

    def _loop(self, axis: int, target: Walked, source: Walked) -> None:
        builder = self._builder
        with counted(builder, I64(0), self._sizes[axis]) as index:
            arrays = []
            for array in (target, source):
                offset = builder.mul(index, array.strides[axis])
                place = builder.gep(array.data, [offset], source_etype=I8)
                arrays.append(Walked(place, array.strides))
            self.axis(axis + 1, *arrays)
