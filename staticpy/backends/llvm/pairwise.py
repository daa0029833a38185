"""NumPy's pairwise sums of a row, bit for bit.

In: what emits the terms at an index, of each sum that is made in one walk. Out: the body of a
function of a frame, a first index and a count, which gives the sums of that part of the row. Halves
are summed by calls of itself, down to blocks of 128 with eight accumulators (Higham, "The accuracy
of floating point summation", 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.complex_elements import picked
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import element_type
from staticpy.backends.llvm.forms import I64
from staticpy.backends.llvm.vectors import constant, halves, moved, ret_struct

WIDTH = 8
"""How many accumulators a sum has in NumPy, and how many elements are computed at a time here."""

BLOCK = 128
"""Up to here NumPy sums without splitting."""


def accumulators(dtype: np.dtype) -> int:
    """How many elements are summed side by side: of complex ones each part counts for NumPy."""
    return WIDTH // 2 if dtype.kind == "c" else WIDTH


def few_summed(builder: ir.IRBuilder, elements: Sequence[ir.Value]) -> ir.Value:
    """The sum of a row of no more than eight elements."""
    start: ir.Value = constant(elements[0].type, -0.0)
    if len(elements) < WIDTH:
        return reduce(builder.fadd, elements, start)
    parts = list(elements)
    while len(parts) > 1:
        parts = [builder.fadd(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return builder.fadd(start, parts[0])


Some = Callable[[ir.Value, int, ir.Value], Sequence[ir.Value]]
"""What emits the terms from an index on, as many as a vector has, of which so many are there."""


class PairwiseSums:
    """Emits one function.

    Args:
        builder: at its beginning; ``memory`` where it reserves memory.
        function: takes the frame, the first index and the count, and gives a structure.
        dtypes: of each sum; all or none are complex.
        terms: emits as many terms of each sum as it is told, from an index on.
        some: emits that many, of which only a count is there; None where terms are computed one by
            one.
    """

    def __init__(
        self,
        builder: ir.IRBuilder,
        memory: ir.IRBuilder,
        function: ir.Function,
        dtypes: Sequence[np.dtype],
        terms: Callable[[ir.Value, int], Sequence[ir.Value]],
        some: Some | None,
    ) -> None:
        self._builder = builder
        self._memory = memory
        self._function = function
        self._dtypes = dtypes
        self._terms = terms
        self._some = some
        self._width = accumulators(dtypes[0])
        self._most = BLOCK * self._width // WIDTH

    def emit(self, widths: Sequence[int], *, two_at_once: bool) -> None:
        """Halves, rounded down to a multiple of eight, down to what is summed at once: a block or,
        as each sum waits for the one before, two of them side by side.

        Args:
            widths: how many elements a block computes at a time, then of those that are left.
            two_at_once: whether that is worth it: the terms take less time than the sums.
        """
        builder = self._builder
        frame, start, size = self._function.args
        half = builder.and_(builder.lshr(size, I64(1)), I64(-self._width))
        rest = builder.sub(size, half)
        with builder.if_then(
            builder.icmp_signed(">", rest if two_at_once else size, I64(self._most))
        ):
            left = builder.call(self._function, [frame, start, half])
            right = builder.call(self._function, [frame, builder.add(start, half), rest])
            numbers = range(len(self._dtypes))
            both = [[builder.extract_value(each, n) for n in numbers] for each in (left, right)]
            ret_struct(builder, map(builder.fadd, *both))
        if two_at_once:
            with builder.if_then(builder.icmp_signed(">", size, I64(self._most))):
                ret_struct(builder, self._pair(start, half, rest))
        if self._some is not None:
            ret_struct(builder, self._masked_block(start, size, widths[0], self._some))
        else:
            ret_struct(builder, self._block(start, size, widths))

    def _block(self, start: ir.Value, size: ir.Value, widths: Sequence[int]) -> list[ir.Value]:
        """Sums of at most BLOCK elements from ``start``: by eight accumulators, then the rest."""
        builder = self._builder
        stop = builder.add(start, size)
        totals = self._accumulators(1)
        wide = builder.and_(size, I64(-self._width))
        with builder.if_then(builder.icmp_signed(">", wide, I64(0))):
            vectors = self._accumulators(self._width)
            first = start
            for width in widths:
                end = builder.add(start, builder.and_(size, I64(-width)))
                with counted(builder, first, end, width, as_written=True) as index:
                    self._take_in(vectors, index, width)
                first = end
            self._write(totals, self._columns(vectors))
        with counted(builder, builder.add(start, wide), stop, as_written=True) as index:
            self._take_in(totals, index, 1)
        return self._read(totals, 1)

    def _pair(self, start: ir.Value, half: ir.Value, rest: ir.Value) -> list[ir.Value]:
        """Sums of two blocks, of which the first has a multiple of eight elements, and no more than
        the other.
        """
        builder = self._builder
        middle = builder.add(start, half)
        wide, stop = builder.and_(rest, I64(-self._width)), builder.add(middle, rest)
        paired, whole = builder.add(middle, half), builder.add(middle, wide)
        blocks = [self._accumulators(self._width) for _ in range(2)]
        with counted(builder, I64(0), half, self._width, as_written=True) as index:
            for begin, vectors in zip((start, middle), blocks, strict=True):
                self._take_in(vectors, builder.add(begin, index), self._width)
        with counted(builder, paired, whole, self._width, as_written=True) as index:
            self._take_in(blocks[1], index, self._width)
        first, second = map(self._columns, blocks)
        totals = self._accumulators(1)
        self._write(totals, second)
        with counted(builder, whole, stop, as_written=True) as index:
            self._take_in(totals, index, 1)
        return [*map(builder.fadd, first, self._read(totals, 1))]

    def _masked_block(
        self, start: ir.Value, size: ir.Value, width: int, some: Some
    ) -> list[ir.Value]:
        """The same, where what isn't a whole vector is computed under a mask, to memory, of which
        it is added in order.
        """
        builder = self._builder
        vectors, totals = self._accumulators(self._width), self._accumulators(1)
        end = builder.add(start, builder.and_(size, I64(-width)))
        with counted(builder, start, end, width, as_written=True) as index:
            self._take_in(vectors, index, width)
        left = [self._memory.alloca(element_type(dtype, width)) for dtype in self._dtypes]
        count = builder.and_(size, I64(width - 1))
        with builder.if_then(builder.icmp_signed(">", count, I64(0))):
            self._write(left, some(end, width, count))
        wide = builder.and_(count, I64(-self._width))
        if width > self._width:
            with counted(builder, I64(0), wide, self._width, as_written=True) as index:
                self._add(vectors, self._read(self._at(left, index), self._width))
        self._write(totals, self._columns(vectors))
        with counted(builder, wide, count, as_written=True) as index:
            self._add(totals, self._read(self._at(left, index), 1))
        return self._read(totals, 1)

    def _at(self, places: Sequence[ir.Value], index: ir.Value) -> list[ir.Value]:
        """Where the elements from ``index`` on are."""
        pairs = zip(places, self._dtypes, strict=True)
        return [moved(self._builder, each, index, I64(dtype.itemsize)) for each, dtype in pairs]

    def _take_in(self, places: Sequence[ir.Value], index: ir.Value, width: int) -> None:
        """Add ``width`` terms to accumulators of at most eight columns."""
        terms = self._terms(index, width)
        parts = [[each] if width <= self._width else halves(self._builder, each) for each in terms]
        for each in zip(*parts, strict=True):
            self._add(places, each)

    def _add(self, places: Sequence[ir.Value], values: Sequence[ir.Value]) -> None:
        for place, value in zip(places, values, strict=True):
            total = self._builder.load(place, typ=value.type)
            self._builder.store(self._builder.fadd(total, value), place)

    def _accumulators(self, width: int) -> Sequence[ir.Value]:
        """Memory for each sum, of ``width`` columns."""
        types = [element_type(dtype, width) for dtype in self._dtypes]
        places = [self._memory.alloca(type_) for type_ in types]
        self._write(places, [constant(type_, -0.0) for type_ in types])
        return places

    def _write(self, places: Sequence[ir.Value], values: Sequence[ir.Value]) -> None:
        for place, value in zip(places, values, strict=True):
            self._builder.store(value, place)

    def _read(self, places: Sequence[ir.Value], width: int) -> list[ir.Value]:
        """What has been summed."""
        types = [element_type(dtype, width) for dtype in self._dtypes]
        return [*map(self._builder.load, places, types)]

    def _columns(self, places: Sequence[ir.Value]) -> list[ir.Value]:
        """The sum of the columns of each: ``((0+1)+(2+3))+((4+5)+(6+7))``."""
        builder = self._builder
        totals = []
        for vector in self._read(places, self._width):
            count = vector.type.count // self._width
            starts = range(0, vector.type.count, count)
            parts = [picked(builder, vector, vector, range(n, n + count)) for n in starts]
            while len(parts) > 1:
                parts = [builder.fadd(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
            totals += parts
        return totals
