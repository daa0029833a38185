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

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.alignment import before_aligned, emit_walk, row_along
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import (
    Emit,
    count_of,
    element_rule,
    element_type,
    from_memory,
    in_memory,
    memory_type,
)
from staticpy.backends.llvm.engine import has_fma
from staticpy.backends.llvm.fetching import Fetching
from staticpy.backends.llvm.folds import folded, joined
from staticpy.backends.llvm.forms import I32, I64, POINTER, register_type
from staticpy.backends.llvm.gathers import Frame, begin_rows, gathered, words_of_tables
from staticpy.backends.llvm.long_sums import loaded, stored, summed
from staticpy.backends.llvm.members import (
    dtype_of,
    element,
    in_place_name,
    is_division_of_floats,
    is_function,
    known_integer,
    operands_of,
    work_of,
)
from staticpy.backends.llvm.pairwise import PairwiseSums, accumulators
from staticpy.backends.llvm.parts import LOOPS, WORK, Words
from staticpy.backends.llvm.quotients import Divisor
from staticpy.backends.llvm.reductions import is_pairwise, reduction_of
from staticpy.backends.llvm.separate_walks import separate_walks
from staticpy.backends.llvm.short_rows import ShortRows, length_of_rows
from staticpy.backends.llvm.totals import Totals, summed_up
from staticpy.backends.llvm.vectors import (
    constant,
    masked_load,
    moved,
    splat,
    up_to,
    write_where,
)
from staticpy.backends.llvm.widths import widths_of
from staticpy.ir import Operation, Value
from staticpy.passes import (
    Cluster,
    Schedule,
    Walk,
    accumulates_rows,
    is_gather,
    is_masked,
    is_row_gather,
    is_there,
)


class Loops:
    """Emits one function.

    Args:
        arrays: the arrays that the loops read, then those that they write, in the order of the
            table; the targets of sinks come last.
        numbers: the inputs that are numbers, with the dtype in which they come.
        hints: the sizes that symbols of the domain may stand for.
    """

    def __init__(
        self,
        module: ir.Module,
        name: str,
        cluster: Cluster,
        arrays: Sequence[Value],
        numbers: Mapping[Value, np.dtype],
        hints: Mapping[str, int],
    ) -> None:
        self._cluster = cluster
        self._schedule = Schedule(cluster)
        self._arrays: list[object] = [*arrays, *dict.fromkeys(cluster.firsts.values())]
        self._numbers = numbers
        self._rank = len(cluster.domain) - cluster.row_axes + 1
        self._short = ShortRows.of(cluster, self._schedule, arrays, hints)
        self._length = length_of_rows(cluster, hints)
        self._sums = 0
        self._fetching = Fetching(cluster, self._schedule, self._arrays, self._rank)
        self._spread: dict[tuple[Value, int], ir.Value] = {}
        self._divisors: dict[tuple[Operation, int], Divisor] = {}
        self._mask: ir.Value | None = None
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

    def _number(self, operation: Operation) -> None:
        """An operation on numbers of the row."""
        values = [self._number_of(value) for value in operands_of(operation)]
        self._keep_number(operation.results[0], element(operation, self._builder, values))

    def _number_of(self, value: Value) -> ir.Value:
        source = self._schedule.source(value)
        if self._cluster.is_row_value(source):
            return self._frame["number", source]
        number = self._frame[source]
        return self._load(dtype_of(source), number, 1) if self._is_constant(source) else number

    def _keep_number(self, value: Value, number: ir.Value) -> None:
        self._frame["number", value] = number
        if value in self._cluster.outputs:
            self._write(dtype_of(value), number, self._frame[value])

    def _write(self, dtype: np.dtype, number: ir.Value, place: ir.Value) -> None:
        """Store a number or vector of elements of ``dtype``; of the last ones only those that there
        are.
        """
        stored = in_memory(self._builder, dtype, number)
        if self._mask is None:
            self._builder.store(stored, place, align=1)
        else:
            write_where(self._builder, self._mask, stored, place)

    # --- elements ---------------------------------------------------------------------------------

    def _elements(self, walk: Walk, index: ir.Value, width: int) -> dict[Operation, ir.Value]:
        """Compute and store the elements of a walk at an index; give what its reductions read."""
        found: dict[Value, ir.Value] = {}
        terms: dict[Operation, ir.Value] = {}
        for operation in walk.steps:
            if operation in walk.sinks:
                self._sink(operation, index, width, found)
            elif operation in walk.elements:
                self._computed(operation, index, width, found)
            else:
                terms[operation] = self._element(operation.operands[0], index, width, found)
                if operation in walk.accumulations and not accumulates_rows(operation):
                    place = self._place(operation.results[0], index)
                    self._accumulate(operation, terms[operation], place)
                elif not is_pairwise(operation):
                    self._fold_in(operation, terms[operation], width)
        if walk is self._fetching.walk and width > 1:
            self._fetching.emit(self._builder, self._frame, index)
        return terms

    def _computed(
        self, operation: Operation, index: ir.Value, width: int, found: dict[Value, ir.Value]
    ) -> None:
        """The elements that an operation computes."""
        operands = operands_of(operation)
        values = [self._element(value, index, width, found) for value in operands]
        (result,) = operation.results
        divisor = self._divisors.get((operation, width))
        if divisor is not None:
            found[result] = divisor.quotient(self._builder, values[0])
        elif is_row_gather(operation):
            place = self._element_at(self._frame["row", operation], result, index)
            found[result] = self._load(dtype_of(result), place, width)
        elif is_gather(operation):
            found[result] = gathered(self._builder, self._frame, operation, values)
        else:
            found[result] = element(operation, self._builder, values)
        if result in self._schedule.kept:
            self._write(dtype_of(result), found[result], self._place(result, index))

    def _sink(
        self, sink: Operation, index: ir.Value, width: int, found: dict[Value, ir.Value]
    ) -> None:
        """Write elements. What follows reads its operands again: memory may have many names."""
        if is_there(sink):
            return
        target, operand = sink.operands[:2]
        value = self._element(operand, index, width, found)
        place = self._element_at(self._frame[self._cluster.firsts[sink]], target, index)
        name = in_place_name(sink)
        if name is not None:
            dtype = dtype_of(target)
            rule = element_rule(name, dtype)
            assert rule is not None
            old = self._load(dtype, place, width)
            divisor = self._divisors.get((sink, width))
            if divisor is not None:
                value = divisor.quotient(self._builder, old)
            else:
                value = rule(Emit(self._builder, dtype), old, value)
        if is_masked(sink):
            mask = self._element(sink.operands[2], index, width, found)
            if self._mask is not None:
                mask = self._builder.and_(mask, self._mask)
            write_where(
                self._builder, mask, in_memory(self._builder, dtype_of(target), value), place
            )
        else:
            self._write(dtype_of(target), value, place)
        for source in [each for each in found if not self._cluster.makes(each)]:
            del found[source]

    def _element(
        self, value: Value, index: ir.Value, width: int, found: dict[Value, ir.Value]
    ) -> ir.Value:
        """The elements of an operand at an index."""
        source = self._schedule.source(value)
        if source in found:
            return found[source]
        if self._is_number(source):
            return self._spread[source, width]
        if self._is_constant(source):
            number = self._load(dtype_of(source), self._frame[source], 1)
            found[source] = splat(self._builder, number, width)
        else:
            found[source] = self._load(dtype_of(source), self._place(source, index), width)
        return found[source]

    def _is_number(self, source: Value) -> bool:
        """Whether it is the same all along a row, and known before."""
        is_one = self._is_constant(source) and not self._cluster.makes(source)
        return is_one or self._cluster.is_row_value(source) or source in self._numbers

    def _is_constant(self, source: Value) -> bool:
        """Whether an array has one element for a whole row."""
        return source in self._arrays and self._cluster.is_constant_along_row(source)

    def _spread_numbers(self, walk: Walk, widths: Sequence[int]) -> None:
        """Vectors of the numbers that a walk reads, before its loops."""
        read = [value for each in walk.steps for value in operands_of(each)]
        for source in map(self._schedule.source, read):
            if self._is_number(source):
                number = self._number_of(source)
                for width in widths:
                    self._spread[source, width] = splat(self._builder, number, width)
        for division, source in self._divisions(walk):
            parts = self._frame["reciprocal", source], self._frame["unusual", source]
            divisor = Divisor(self._number_of(source), *parts)
            for width in (each for each in widths if each > 1):
                self._divisors[division, width] = divisor.spread(self._builder, width)

    def _divisions(self, walk: Walk) -> list[tuple[Operation, Value]]:
        """The divisions of floats by a number that is the same all along a row, and that number."""
        divisions = [each for each in walk.steps if is_division_of_floats(each)]
        pairs = [(each, self._schedule.source(each.operands[1])) for each in divisions]
        return [pair for pair in pairs if has_fma() and self._is_number(pair[1])]

    def _prepare_divisions(self, walk: Walk, among: Container[Value] | None = None) -> None:
        """What the loops of a walk, and the functions that sum parts of a row, divide by."""
        for _, source in self._divisions(walk):
            is_known = ("reciprocal", source) in self._frame
            if not is_known and (among is None or source in among):
                divisor = Divisor.of(self._builder, self._number_of(source))
                self._frame["reciprocal", source] = divisor.reciprocal
                self._frame["unusual", source] = divisor.unusual

    def _load(self, dtype: np.dtype, place: ir.Value, width: int) -> ir.Value:
        """Elements, of the last ones those that there are and, in the place of others, the first:
        what is computed of these raises no flag that it doesn't.
        """
        builder, type_ = self._builder, memory_type(dtype, width)
        if self._mask is None or not isinstance(type_, ir.VectorType):
            loaded = builder.load(place, typ=type_, align=1)
        else:
            first = splat(builder, builder.load(place, typ=type_.element, align=1), width)
            load = masked_load(builder.module, type_)
            loaded = builder.call(load, [place, I32(1), self._mask, first])
        return from_memory(builder, dtype, loaded)

    def _place(self, value: Value, index: ir.Value) -> ir.Value:
        """The address of an element of the row."""
        key = self._cluster.firsts.get(value, value)
        return self._element_at(self._frame[key], value, index)

    def _element_at(self, row: ir.Value, value: Value, index: ir.Value) -> ir.Value:
        return moved(self._builder, row, index, I64(dtype_of(value).itemsize))

    # --- a walk -----------------------------------------------------------------------------------

    def _walk(self, walk: Walk) -> None:
        rows = [*walk.reductions, *filter(accumulates_rows, walk.accumulations)]
        sums = list(filter(is_pairwise, rows))
        folds = [each for each in rows if each not in sums]
        widths = widths_of(walk, self._cluster, self._length)
        self._prepare_divisions(walk)
        for operation in folds:
            self._begin_fold(operation, widths)
        if sums:
            self._summed_walk(walk, sums)
        else:
            self._plain_walk(walk, widths)
        for operation in folds:
            self._end_fold(operation, widths)

    def _plain_walk(self, walk: Walk, widths: Sequence[int]) -> None:
        size = self._frame["size"]
        start: ir.Value = I64(0)
        self._spread_numbers(walk, widths)
        if min(widths) > 1:
            self._masked_walk(walk, *widths)
            return
        for width in widths:
            stop = self._builder.and_(size, I64(-width))
            with counted(self._builder, start, stop, width, as_written=True) as index:
                self._elements(walk, index, width)
            start = stop

    def _masked_walk(self, walk: Walk, width: int) -> None:
        """What isn't a whole vector is computed under a mask."""
        builder, row = self._builder, row_along(walk, self._schedule, self._cluster)
        sizes = self._frame["size"], before_aligned(builder, self._frame, row, width)

        def some(begin: ir.Value, count: ir.Value) -> None:
            self._mask = up_to(builder, count, width)
            self._elements(walk, begin, width)
            self._mask = None

        emit_walk(builder, sizes, width, some, lambda at: self._elements(walk, at, width))

    # --- reductions whose order can't be seen -----------------------------------------------------

    def _begin_fold(self, operation: Operation, widths: Sequence[int]) -> None:
        """Memory for what is reduced so far, of as many columns as are read at a time."""
        reduction = reduction_of(operation)
        for width in widths:
            type_ = element_type(reduction.dtype, width)
            place = self._memory.alloca(memory_type(reduction.dtype, width))
            self._write(reduction.dtype, constant(type_, reduction.start), place)
            self._frame["fold", operation, width] = place

    def _fold_in(self, operation: Operation, value: ir.Value, width: int) -> None:
        """Reduce elements with the columns, all of which LLVM keeps in a register."""
        dtype, place = reduction_of(operation).dtype, self._frame["fold", operation, width]
        mask, self._mask = self._mask, None
        old = self._load(dtype, place, width)
        new = folded(self._builder, operation, old, value)
        if mask is not None:
            new = self._builder.select(mask, new, old)
        self._write(dtype, new, place)
        self._mask = mask

    def _accumulate(self, operation: Operation, value: ir.Value, place: ir.Value) -> None:
        """Reduce elements with those in memory."""
        dtype = reduction_of(operation).dtype
        width = count_of(value, dtype_of(operation.operands[0]))
        old = self._load(dtype, place, width)
        self._write(dtype, folded(self._builder, operation, old, value), place)

    def _end_fold(self, operation: Operation, widths: Sequence[int]) -> None:
        """Reduce the columns, and give the result."""
        dtype = reduction_of(operation).dtype
        # No longer in the frame, of which the address is given away: LLVM keeps it in registers.
        places = {each: self._frame.pop(("fold", operation, each)) for each in widths}
        columns = {width: self._load(dtype, place, width) for width, place in places.items()}
        (result,) = operation.results
        of_row = self._frame["size"], self._before(result)
        self._keep_number(result, joined(self._builder, operation, columns, *of_row))

    def _before(self, result: Value) -> ir.Value | None:
        """What has been reduced of other rows; None where each is reduced for itself."""
        if self._cluster.is_row_value(result):
            return None
        return self._load(dtype_of(result), self._frame[result], 1)

    # --- a walk with sums -------------------------------------------------------------------------

    def _summed_walk(self, walk: Walk, sums: Sequence[Operation]) -> None:
        function, builder = self._sum_function(walk, sums), self._builder
        row = stored(builder, self._memory, self._frame), self._frame["size"]
        if self._rank == 1 and len(sums) == len(walk.reducing):
            work = len(self._arrays) + sum(map(work_of, self._cluster.operations))
            width = accumulators(dtype_of(sums[0].results[0]))
            found = summed(builder, self._memory, function, row, WORK // work, width)
        else:
            found = builder.call(function, [row[0], I64(0), row[1]])
        for number, operation in enumerate(sums):
            (result,) = operation.results
            of_row = builder.extract_value(found, number), self._frame["size"], self._before(result)
            self._keep_number(result, summed_up(builder, operation, *of_row))

    def _sum_function(self, walk: Walk, sums: Sequence[Operation]) -> ir.Function:
        """What sums a part of a row, of a frame, the first index and the count."""

        def terms(index: ir.Value, width: int) -> list[ir.Value]:
            found = self._elements(walk, index, width)
            return [found[each] for each in sums]

        result = ir.LiteralStructType([element_type(dtype_of(each.results[0]), 1) for each in sums])
        name = f"{self.function.name}.sum{self._sums}"
        self._sums += 1
        type_ = ir.FunctionType(result, [POINTER, I64, I64])
        function = ir.Function(self.function.module, type_, name)
        function.linkage = "internal"
        outer = self._memory, self._builder, self._frame
        with self._body(function):
            self._frame = loaded(self._builder, function.args[0], self._frame)
            widths = widths_of(walk, self._cluster, self._length)
            self._spread_numbers(walk, widths)
            dtypes = [dtype_of(each.results[0]) for each in sums]
            PairwiseSums(self._builder, self._memory, function, dtypes, terms).emit(
                [width for width in widths if width > 1],
                two_at_once=not any(map(is_function, walk.elements)),
            )
        self._memory, self._builder, self._frame = outer
        return function
