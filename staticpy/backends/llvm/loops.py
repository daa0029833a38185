"""The loops of a cluster: one function of LLVM.

In: a Cluster and its Schedule. Out: a function that gets a table of the sizes of the domain, for
each array its data and strides, for each number its value, what ``gathers`` says, and writes the
outputs. Along a row the elements of an array are neighbours:

    for each row:
        for each walk:
            numbers of the row
            a register full at a time, then what is left: under a mask, or one at a time

Sums are NumPy's, bit for bit (``pairwise``), by a function that calls itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.alignment import before_aligned, emit_walk, row_along
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import element_type
from staticpy.backends.llvm.folds import of_row, together
from staticpy.backends.llvm.forms import I64, POINTER, register_type
from staticpy.backends.llvm.gathers import Frame, begin_rows, words_of_tables
from staticpy.backends.llvm.long_rows import LEAF, Sharing, leaf_of, loaded, shared_row, stored
from staticpy.backends.llvm.members import dtype_of, is_function, known_integer, work_of
from staticpy.backends.llvm.pairwise import PairwiseSums, accumulators
from staticpy.backends.llvm.parts import LOOPS, WORK, Words
from staticpy.backends.llvm.reductions import is_pairwise, reduction_of
from staticpy.backends.llvm.row_elements import RowElements
from staticpy.backends.llvm.separate_walks import separate_walks
from staticpy.backends.llvm.short_rows import ShortRows, length_of_rows
from staticpy.backends.llvm.totals import Totals, summed_up
from staticpy.backends.llvm.vectors import field, moved
from staticpy.backends.llvm.widths import widths_of
from staticpy.ir import Operation, Value
from staticpy.passes import Cluster, Walk, accumulates_rows

_FIRST = I64(0)

_ALIGNED = 64
"""Parts of a row begin at a multiple of so many elements, which are aligned as the row is."""


class Loops(RowElements):
    """Emits one function.

    Args:
        arrays: the arrays that the loops read, then those that they write, in the order of the
            table; the targets of sinks come last.
        numbers: the inputs that are numbers, with the dtype in which they come.
    """

    def __init__(
        self,
        module: ir.Module,
        name: str,
        cluster: Cluster,
        arrays: Sequence[Value],
        numbers: Mapping[Value, np.dtype],
    ) -> None:
        super().__init__(cluster, [*arrays, *dict.fromkeys(cluster.firsts.values())], numbers)
        self._short = ShortRows.of(cluster, self._schedule, arrays)
        self._length = length_of_rows(cluster)
        self._parts = 0
        self.function = ir.Function(module, LOOPS, name)
        with self._body(self.function):
            self._emit()

    def _emit(self) -> None:
        words = Words(self._builder, self.function.args[0])
        axes, multiplied = len(self._cluster.domain), partial(reduce, self._builder.mul)
        sizes = self._of_rows(words.several(axes), multiplied)
        self._frame: Frame = {
            "size": sizes[-1],
            "ahead": self._fetching.ahead(self._builder, sizes[-1]),
        }
        strides: dict[object, list[ir.Value]] = {}
        for key in self._arrays:
            self._frame[key] = words.next(POINTER)
            strides[key] = self._of_rows(words.several(axes), lambda rows: rows[-1])
        for value, dtype in self._numbers.items():
            number = words.next(register_type(dtype))
            self._frame[value] = known_integer(value, dtype) or number
        for key, type_ in words_of_tables(self._cluster):
            self._frame[key] = words.next(type_)
        for walk in self._schedule.walks:  # once for all rows
            self._prepare_divisions(walk, self._numbers)
        scratch = [self._scratch(value) for value in self._schedule.scratch]
        totals = Totals(self._builder, sizes, strides, dict(self._frame))
        totals.begin(self._schedule)
        self._nest(0, sizes, strides)
        totals.end(self._schedule)
        for place in scratch:
            self._builder.call(declare(self._builder.module, "free"), [place])
        self._builder.ret_void()

    def _of_rows(
        self, each: list[ir.Value], joined: Callable[[list[ir.Value]], ir.Value]
    ) -> list[ir.Value]:
        """The same where the axes of a row are one."""
        count = self._cluster.row_axes
        return [*each[:-count], joined(each[-count:])]

    def _scratch(self, value: Value) -> ir.Value:
        """Memory that is as long as a row."""
        itemsize = I64(dtype_of(value).itemsize)
        length = self._builder.add(self._builder.mul(self._frame["size"], itemsize), I64(1))
        self._frame[value] = self._builder.call(declare(self._builder.module, "malloc"), [length])
        return self._frame[value]

    @contextmanager
    def _body(self, function: ir.Function) -> Iterator[None]:
        """What is emitted within goes into ``function``, and its memory to the head of it."""
        head, start = (function.append_basic_block() for _ in range(2))
        self._memory, self._builder = ir.IRBuilder(head), ir.IRBuilder(start)
        yield
        ir.IRBuilder(head).branch(start)

    def _nest(
        self, axis: int, sizes: Sequence[ir.Value], strides: Mapping[object, list[ir.Value]]
    ) -> None:
        """The loop over one of the axes before the last, and what is in it."""
        if axis == self._rank - 1:
            self._row()
            return
        outer, start = dict(self._frame), I64(0)
        if self._short is not None and axis == self._rank - 2:
            steps = {key: each[axis] for key, each in strides.items()}
            start = self._short.emit(self._builder, self._frame, sizes[axis], steps)
        with counted(self._builder, start, sizes[axis], as_written=True) as index:
            for key in self._arrays:
                self._frame[key] = moved(self._builder, outer[key], index, strides[key][axis])
            self._nest(axis + 1, sizes, strides)
        self._frame = outer

    # --- one row ----------------------------------------------------------------------------------

    def _row(self) -> None:
        begin_rows(self._builder, self._frame, self._cluster, self._number_of)
        for walk in self._schedule.walks:
            for operation in walk.numbers:
                self._number(operation)
            for part in () if walk.is_idle else separate_walks(walk, self._schedule):
                self._walk(part)

    # --- a walk -----------------------------------------------------------------------------------

    def _walk(self, walk: Walk) -> None:
        rows = [*walk.reductions, *filter(accumulates_rows, walk.accumulations)]
        sums = list(filter(is_pairwise, rows))
        folds = [each for each in rows if each not in sums]
        widths = widths_of(walk, self._cluster, self._length)
        self._prepare_divisions(walk)
        if self._is_one_row and len(folds) == len(walk.reducing):
            leaf = self._folding(walk, folds, widths)
            self._folded(folds, self._shared(leaf, _ALIGNED, folds))
            return
        for operation in folds:
            self._begin_fold(operation, widths)
        if sums:
            self._summed_walk(walk, sums)
        else:
            self._plain_walk(walk, widths)
        self._folded(folds, [self._end_fold(operation, widths) for operation in folds])

    def _plain_walk(self, walk: Walk, widths: Sequence[int], start: ir.Value = _FIRST) -> None:
        """Elements from ``start`` on, as many as the frame says."""
        builder, size = self._builder, self._frame["size"]
        self._spread_numbers(walk, widths)
        if min(widths) > 1:
            self._masked_walk(walk, min(widths), start)
            return
        first = start
        for width in widths:
            stop = builder.add(start, builder.and_(size, I64(-width)))
            with counted(builder, first, stop, width, as_written=True) as index:
                self._elements(walk, index, width)
            first = stop

    def _masked_walk(self, walk: Walk, width: int, start: ir.Value) -> None:
        """What isn't a whole vector is computed under a mask."""
        builder, row = self._builder, row_along(walk, self._schedule, self._cluster)
        part = start, self._frame["size"], before_aligned(builder, self._frame, row, width)

        def some(begin: ir.Value, count: ir.Value) -> None:
            with self._masked(count, width):
                self._elements(walk, begin, width)

        emit_walk(builder, part, width, some, lambda at: self._elements(walk, at, width))

    def _folded(self, folds: Sequence[Operation], numbers: Iterable[ir.Value]) -> None:
        """Keep what all elements of a row were reduced to."""
        for operation, number in zip(folds, numbers, strict=True):
            (result,) = operation.results
            row = self._frame["size"], self._before(result)
            self._keep_number(result, of_row(self._builder, operation, number, *row))

    def _summed_walk(self, walk: Walk, sums: Sequence[Operation]) -> None:
        function, builder = self._summing(walk, sums), self._builder
        if self._is_one_row and len(sums) == len(walk.reducing):
            width = accumulators(dtype_of(sums[0].results[0]))
            totals = self._shared(leaf_of(function), width, sums)
        else:
            row = stored(builder, self._memory, self._frame), I64(0), self._frame["size"]
            found = builder.call(function, row)
            totals = [builder.extract_value(found, number) for number in range(len(sums))]
        for operation, total in zip(sums, totals, strict=True):
            (result,) = operation.results
            row_and_before = self._frame["size"], self._before(result)
            self._keep_number(result, summed_up(builder, operation, total, *row_and_before))

    # --- parts of a row ---------------------------------------------------------------------------

    @property
    def _is_one_row(self) -> bool:
        """Whether there is one row, along which the loops as a whole aren't shared out."""
        return self._rank == 1 and not self._cluster.parallel_axes

    def _shared(
        self, leaf: ir.Function, width: int, reduced: Sequence[Operation]
    ) -> list[ir.Value]:
        """What a walk along the only row reduces, on several threads where it is long."""
        builder = self._builder

        def both(number: int, one: ir.Value, other: ir.Value) -> ir.Value:
            return together(builder, reduced[number], one, other)

        row = stored(builder, self._memory, self._frame), self._frame["size"]
        work = len(self._arrays) + sum(map(work_of, self._cluster.operations))
        sharing = Sharing(WORK // work, width, _numbers(reduced), both)
        found = shared_row(builder, self._memory, leaf, row, sharing)
        return [builder.extract_value(found, number) for number in range(len(reduced))]

    @contextmanager
    def _part(self, type_: ir.FunctionType) -> Iterator[ir.Function]:
        """A function whose first argument is the frame. What is emitted within goes into it."""
        name = f"{self.function.name}.part{self._parts}"
        self._parts += 1
        function = ir.Function(self.function.module, type_, name)
        function.linkage = "internal"
        outer = self._memory, self._builder, self._frame
        with self._body(function):
            self._frame = loaded(self._builder, function.args[0], self._frame)
            yield function
        self._memory, self._builder, self._frame = outer

    def _folding(
        self, walk: Walk, folds: Sequence[Operation], widths: Sequence[int]
    ) -> ir.Function:
        """What walks along a part of a row, and stores what it has reduced, in any order."""
        with self._part(LEAF) as function:
            _, start, self._frame["size"], place = function.args
            for operation in folds:
                self._begin_fold(operation, widths)
            self._plain_walk(walk, widths, start)
            for number, operation in enumerate(folds):
                kept = field(self._builder, place, _numbers(folds), number)
                self._builder.store(self._end_fold(operation, widths), kept)
            self._builder.ret_void()
        return function

    def _summing(self, walk: Walk, sums: Sequence[Operation]) -> ir.Function:
        """What sums a part of a row, from an index on so many elements."""

        def terms(index: ir.Value, width: int) -> list[ir.Value]:
            found = self._elements(walk, index, width)
            return [found[each] for each in sums]

        def some(index: ir.Value, width: int, count: ir.Value) -> list[ir.Value]:
            with self._masked(count, width):
                return terms(index, width)

        dtypes = [reduction_of(each).dtype for each in sums]
        with self._part(ir.FunctionType(_numbers(sums), [POINTER, I64, I64])) as function:
            widths = widths_of(walk, self._cluster, self._length)
            self._spread_numbers(walk, widths)
            masked = some if min(widths) > 1 else None
            PairwiseSums(self._builder, self._memory, function, dtypes, terms, masked).emit(
                [width for width in widths if width > 1],
                two_at_once=not any(map(is_function, walk.elements)),
            )
        return function


def _numbers(reduced: Sequence[Operation]) -> ir.LiteralStructType:
    """What reductions give of a part of a row."""
    return ir.LiteralStructType([element_type(reduction_of(each).dtype, 1) for each in reduced])
