"""The numbers of a row, and its elements, a vector at a time.

In: the operations of a walk, and what is known of the row: a frame, which says where its arrays are
and what its numbers are. Out: LLVM values of the elements at an index; what is stored, and what is
reduced.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from staticpy.backends.llvm import ir
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
from staticpy.backends.llvm.forms import I32, I64
from staticpy.backends.llvm.gathers import Frame, gathered
from staticpy.backends.llvm.members import (
    dtype_of,
    element,
    in_place_name,
    is_division_of_floats,
    known_float,
    operands_of,
)
from staticpy.backends.llvm.quotients import Divisor
from staticpy.backends.llvm.reductions import is_pairwise, reduction_of
from staticpy.backends.llvm.vectors import constant, masked_load, moved, splat, up_to, write_where
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


class RowElements:
    """Emits the elements of the rows of a cluster.

    Args:
        arrays: what the loops read, then what they write.
        numbers: the inputs that are numbers, with the dtype in which they come.
    """

    _builder: ir.IRBuilder
    _memory: ir.IRBuilder
    _frame: Frame

    def __init__(
        self, cluster: Cluster, arrays: Sequence[object], numbers: Mapping[Value, np.dtype]
    ) -> None:
        self._cluster = cluster
        self._schedule = Schedule(cluster)
        self._arrays = arrays
        self._numbers = numbers
        self._rank = len(cluster.domain) - cluster.row_axes + 1
        self._fetching = Fetching(cluster, self._schedule, arrays, self._rank)
        self._spread: dict[tuple[Value, int], ir.Value] = {}
        self._divisors: dict[tuple[Operation, int], Divisor] = {}
        self._mask: ir.Value | None = None

    # --- numbers ----------------------------------------------------------------------------------

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
            if ("reciprocal", source) not in self._frame and (among is None or source in among):
                divisor = Divisor.of(self._builder, self._number_of(source), known_float(source))
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

    @contextmanager
    def _masked(self, count: ir.Value, width: int) -> Iterator[None]:
        """Of the elements that are emitted within only so many are there."""
        self._mask = up_to(self._builder, count, width)
        yield
        self._mask = None

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

    def _end_fold(self, operation: Operation, widths: Sequence[int]) -> ir.Value:
        """Reduce the columns to one number."""
        dtype = reduction_of(operation).dtype
        # No longer in the frame, of which the address is given away: LLVM keeps it in registers.
        places = {each: self._frame.pop(("fold", operation, each)) for each in widths}
        columns = {width: self._load(dtype, place, width) for width, place in places.items()}
        return joined(self._builder, operation, columns)

    def _before(self, result: Value) -> ir.Value | None:
        """What has been reduced of other rows; None where each is reduced for itself."""
        if self._cluster.is_row_value(result):
            return None
        return self._load(dtype_of(result), self._frame[result], 1)
