"""Copying the elements of one array to another of the same sizes, however the two lie, or a number
to all of them.

In: sizes, and for each array data and strides. Out: a call of a function of the module, one for
each rank and size of an element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER, Native
from staticpy.backends.llvm.vectors import type_suffix


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """An array as loops see it: data, and a stride in bytes for each axis."""

    data: ir.Value
    strides: Sequence[ir.Value]

    @classmethod
    def of(cls, native: Native) -> Walked:
        """One in Python's memory."""
        return cls(native.data, native.strides)


def copy_bytes(module: ir.Module) -> ir.Function:
    """LLVM's ``memcpy(target, source, length, is_volatile)``."""
    return _mover(module, "memcpy")


def move_bytes(module: ir.Module) -> ir.Function:
    """The same of memory that may overlap, ``memmove``."""
    return _mover(module, "memmove")


def _mover(module: ir.Module, name: str) -> ir.Function:
    type_ = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, I64, I1])
    return module.declared(f"llvm.{name}.p0.p0.i64", type_)


def set_bytes(module: ir.Module) -> ir.Function:
    """LLVM's ``memset(target, byte, length, is_volatile)``."""
    type_ = ir.FunctionType(ir.VoidType(), [POINTER, I8, I64, I1])
    return module.declared("llvm.memset.p0.i64", type_)


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


def fill(cx: Context, sizes: Sequence[ir.Value], target: Walked, number: ir.Value) -> None:
    """Store ``number``, as it is in memory, to each element of ``target``."""
    name, rank = f"fill.{len(sizes)}.{type_suffix(number.type)}", len(sizes)
    type_ = ir.FunctionType(ir.VoidType(), [number.type, *[I64] * rank, POINTER, *[I64] * rank])
    function, body = cx.loop_function(name, type_)
    if body is not None:
        value, *rest = body.args
        places = Walked(rest[rank], rest[rank + 1 :])
        builder = ir.IRBuilder(body.append_basic_block())
        CopyLoops(builder, 0, rest[:rank]).axis(0, places, value)
        builder.ret_void()
    cx.builder.call(function, [number, *sizes, target.data, *target.strides])


def _define(function: ir.Function, rank: int, itemsize: int) -> None:
    sizes, rest = function.args[:rank], function.args[rank:]
    target, source = (Walked(part[0], part[1:]) for part in (rest[: rank + 1], rest[rank + 1 :]))
    builder = ir.IRBuilder(function.append_basic_block())
    CopyLoops(builder, itemsize, sizes).axis(0, target, source)
    builder.ret_void()


class CopyLoops:
    """Emits the loops, one within another; along the last axis all at once where there are no
    gaps. Where the source is a number it is stored everywhere.
    """

    def __init__(self, builder: ir.IRBuilder, itemsize: int, sizes: Sequence[ir.Value]) -> None:
        self._builder = builder
        self._itemsize = itemsize
        self._sizes = sizes

    def axis(self, axis: int, target: Walked, source: Walked | ir.Value) -> None:
        """Copy what is at one place of the axes before ``axis``."""
        builder = self._builder
        if axis == len(self._sizes):
            if isinstance(source, Walked):
                element = ir.IntType(8 * self._itemsize)
                source = builder.load(source.data, typ=element, align=1)
            builder.store(source, target.data, align=1)
            return
        if axis < len(self._sizes) - 1 or not isinstance(source, Walked):
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
                memcpy = copy_bytes(builder.module)
                length = builder.mul(self._sizes[axis], I64(self._itemsize))
                builder.call(memcpy, [target.data, source.data, length, I1(0)])
            with otherwise:
                self._loop(axis, target, source)

    def _loop(self, axis: int, target: Walked, source: Walked | ir.Value) -> None:
        with counted(self._builder, I64(0), self._sizes[axis]) as index:
            here = self._at(axis, index, target)
            there = self._at(axis, index, source) if isinstance(source, Walked) else source
            self.axis(axis + 1, here, there)

    def _at(self, axis: int, index: ir.Value, array: Walked) -> Walked:
        offset = self._builder.mul(index, array.strides[axis])
        place = self._builder.gep(array.data, [offset], source_etype=I8)
        return Walked(place, array.strides)
