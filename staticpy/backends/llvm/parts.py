"""The loops of a cluster, on several threads where they are long.

In: the function of the loops. Out: a function that does the same, and needs no scratch. A long
walk is cut along the longest axis along which it may be, and each part is given to ``pool.run``:

    loops(sizes, data and strides of each array, scratch, numbers)
    parted(sizes, data and strides of each array, numbers)
    part(context, begin, end)       the loops over a range of one axis; the arguments of ``parted``
                                    and the axis are in the context

Elements don't depend on each other, nor do rows: what is computed doesn't depend on where it is
cut. Axes that are reduced are not cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from llvmlite import ir

from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import Context, allocated, field
from staticpy.backends.llvm.forms import I8, I64
from staticpy.backends.llvm.pool import emit_run
from staticpy.backends.llvm.workers import PART

LONG = 1 << 15
"""Walks over more elements than these need no lock of the interpreter."""

WORK = 1 << 22
"""Walks of more work than this are cut: some tenths of a millisecond, many times what it takes to
wake a thread. Walking along an array is one unit for each element, and so is an operation."""

_PIECE = 1 << 13
"""About so many elements each part has at least; a multiple of what loops compute at a time."""


_TURNS = 4
"""About how many parts each thread gets, so that one that is held up does fewer."""


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """What is to be cut.

    Attributes:
        loops: the function, as it is called from the main module.
        rank: the axes of the domain.
        arrays: how many there are.
        scratch: the bytes of an element of each piece of memory that is as long as a row.
        axes: those that may be cut: along which no number is shared.
        work: the units of work for each element.
    """

    loops: ir.Function
    rank: int
    arrays: int
    scratch: Sequence[int]
    axes: Sequence[int]
    work: int

    @property
    def types(self) -> list[ir.Type]:
        """Those of the arguments: of the loops', but for the scratch."""
        types = list(self.loops.ftype.args)
        start = self.rank + self.arrays * (1 + self.rank)
        return types[:start] + types[start + len(self.scratch) :]

    def call_loops(self, builder: ir.IRBuilder, arguments: Sequence[ir.Value]) -> None:
        """Call the function, with scratch of its own."""
        made = []
        for itemsize in self.scratch:
            length = builder.add(builder.mul(arguments[self.rank - 1], I64(itemsize)), I64(1))
            made.append(builder.call(declare(builder.module, "malloc"), [length]))
        start = self.rank + self.arrays * (1 + self.rank)
        builder.call(self.loops, [*arguments[:start], *made, *arguments[start:]])
        for place in made:
            builder.call(declare(builder.module, "free"), [place])


def parted(cx: Context, name: str, given: Parted) -> ir.Function:
    """The function that does the loops in parts. It is in the main module: no time is spent on it,
    as it calls the loops once.
    """
    type_ = ir.FunctionType(ir.VoidType(), given.types)
    function = ir.Function(cx.module, type_, f"{name}.parted")
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block())
    if given.axes:
        _cut(builder, name, given)
    given.call_loops(builder, function.args)
    builder.ret_void()
    return function


def _cut(builder: ir.IRBuilder, name: str, given: Parted) -> None:
    """Return with all done where it is worth it."""
    function = builder.function
    sizes = function.args[: given.rank]
    total = reduce(builder.mul, sizes)
    with builder.if_then(builder.icmp_signed(">", total, I64(WORK // given.work)), likely=False):
        axis, count = _longest(builder, sizes, given.axes)
        other = builder.sdiv(total, count)
        enough = builder.sdiv(I64(_PIECE), other)
        least = builder.select(builder.icmp_signed(">", enough, I64(1)), enough, I64(1))
        context = ir.LiteralStructType([*given.types, I64])
        place = allocated(builder, context)
        for number, value in enumerate([*function.args, axis]):
            builder.store(value, field(builder, place, context, number))
        part = _part(builder.module, name, given, context)
        emit_run(builder, part, place, count, least, I64(_TURNS), I64(0))
        builder.ret_void()


def _longest(
    builder: ir.IRBuilder, sizes: Sequence[ir.Value], axes: Sequence[int]
) -> tuple[ir.Value, ir.Value]:
    """The longest of some axes, and its size."""
    axis, count = I64(axes[0]), sizes[axes[0]]
    for number in axes[1:]:
        size = sizes[number]
        longer = builder.icmp_signed(">", size, count)
        axis = builder.select(longer, I64(number), axis)
        count = builder.select(longer, size, count)
    return axis, count


def _part(
    module: ir.Module, name: str, given: Parted, context: ir.LiteralStructType
) -> ir.Function:
    """``part(context, begin, end)``."""
    function = ir.Function(module, PART, f"{name}.part")
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block())
    place, begin, end = function.args
    *arguments, axis = (
        builder.load(field(builder, place, context, number), typ=type_)
        for number, type_ in enumerate(context.elements)
    )
    is_cut = [builder.icmp_signed("==", axis, I64(number)) for number in range(given.rank)]
    length = builder.sub(end, begin)
    for number, here in enumerate(is_cut):
        arguments[number] = builder.select(here, length, arguments[number])
    for array in range(given.arrays):
        first = given.rank + array * (1 + given.rank)
        stride: ir.Value = I64(0)
        for here, each in zip(is_cut, arguments[first + 1 :], strict=False):
            stride = builder.select(here, each, stride)
        offset = builder.mul(begin, stride)
        arguments[first] = builder.gep(arguments[first], [offset], source_etype=I8)
    given.call_loops(builder, arguments)
    builder.ret_void()
    return function
