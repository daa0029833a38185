"""The outer axes of two stacks of matrices that are multiplied, as a table of numbers.

In: for each axis its size, and the strides of both stacks, 0 where one has no such axis. Out: the
table, which a function for stacks of any rank is given; and there, where the matrices lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I64, POINTER
from staticpy.backends.llvm.packing import number_at, place_at
from staticpy.backends.llvm.vectors import moved

AXES_TYPES = [I64, POINTER]
"""How many there are, and the table."""

_NUMBERS = 3
"""Those of an axis."""


def axes_table(
    builder: ir.IRBuilder,
    sizes: Sequence[ir.Value],
    a_strides: Sequence[ir.Value],
    b_strides: Sequence[ir.Value],
) -> tuple[ir.Value, ir.Value]:
    """What a function is told of the axes."""
    numbers = [each for axis in zip(sizes, a_strides, b_strides, strict=True) for each in axis]
    table = builder.alloca(ir.ArrayType(I64, len(numbers)))
    for index, number in enumerate(numbers):
        builder.store(number, place_at(builder, table, I64(index)))
    return I64(len(sizes)), builder.bitcast(table, POINTER)


class Axes:
    """The axes in a function that is told of them; made outside of its loops."""

    def __init__(self, builder: ir.IRBuilder, number: ir.Value, table: ir.Value) -> None:
        self.number = number
        self._builder = builder
        self._table = table
        self._rest = builder.alloca(I64)
        self._places = [builder.alloca(POINTER) for _ in range(2)]

    def axis(self, axis: ir.Value) -> list[ir.Value]:
        """Its size, and both strides."""
        builder = self._builder
        first = builder.mul(axis, I64(_NUMBERS))
        places = (builder.add(first, I64(number)) for number in range(_NUMBERS))
        return [number_at(builder, self._table, place) for place in places]

    def count(self) -> ir.Value:
        """How many matrices there are."""
        builder = self._builder
        builder.store(I64(1), self._rest)
        with counted(builder, I64(0), self.number) as axis:
            size, *_ = self.axis(axis)
            builder.store(builder.mul(builder.load(self._rest, typ=I64), size), self._rest)
        return builder.load(self._rest, typ=I64)

    def places(
        self,
        index: ir.Value,
        first: Sequence[ir.Value],
        note: Callable[[ir.Value, ir.Value], object] = lambda axis, index: None,
    ) -> list[ir.Value]:
        """Where the matrices with an index lie, by where the first ones do. ``note`` is given each
        axis and the index along it.
        """
        builder = self._builder
        builder.store(index, self._rest)
        for place, begin in zip(self._places, first, strict=True):
            builder.store(begin, place)
        with counted(builder, I64(0), self.number) as turn:
            axis = builder.sub(self.number, builder.add(turn, I64(1)))
            size, *strides = self.axis(axis)
            before = builder.load(self._rest, typ=I64)
            here = builder.srem(before, size)
            builder.store(builder.sdiv(before, size), self._rest)
            note(axis, here)
            for place, stride in zip(self._places, strides, strict=True):
                found = moved(builder, builder.load(place, typ=POINTER), here, stride)
                builder.store(found, place)
        return [builder.load(place, typ=POINTER) for place in self._places]
