"""Rows of a few elements, of which it is known how many: many rows at a time.

In: a cluster that reduces such rows, ``x.sum(axis=-1)`` of ``x: f64[n, 3]`` for one, or reads one
number for each, as ``x / x[:, 2:]``. Out: loops over the axis before the rows, in which a register
holds the same element of as many rows:

    memory      x0 y0 z0 x1 y1 z1 x2 y2 z2 ...
    registers   x0 x1 x2 ...    y0 y1 y2 ...    z0 z1 z2 ...

What is computed of a row, too, is computed of many. The order in which the elements of a row are
reduced is NumPy's, as in loops over one row. That needs rows that lie one after the other, but for
columns of other arrays, of which each number is loaded by itself; other rows, and those that are
left at the end, are walked along one by one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import from_memory, in_memory, memory_type
from staticpy.backends.llvm.engine import register_bytes
from staticpy.backends.llvm.folds import folded_up
from staticpy.backends.llvm.forms import I64
from staticpy.backends.llvm.members import dtype_of, element, operands_of
from staticpy.backends.llvm.pairwise import WIDTH, few_summed
from staticpy.backends.llvm.reductions import MEANS, is_pairwise
from staticpy.backends.llvm.totals import summed_up
from staticpy.backends.llvm.vectors import interleaved, moved, parted, splat
from staticpy.ir import Operation, Value, dims_of
from staticpy.passes import Cluster, Schedule, accumulates_rows, is_view

_MOST = WIDTH
"""Longer rows are reduced one by one."""

_LONGEST = 128
"""The most elements that are emitted, of all operations: each has to be compiled."""

_LEAST = 4
"""As many rows at a time are worth it."""

_REDUCTIONS = ("sum", "prod", "max", "min", "any", "all", *MEANS)


class ShortRows:
    """The loops over many rows at a time.

    Args:
        arrays: what the loops read and write.
        length: how many elements a row has.
        width: how many rows are computed at a time.
    """

    def __init__(
        self,
        cluster: Cluster,
        schedule: Schedule,
        arrays: Sequence[Value],
        length: int,
        width: int,
    ) -> None:
        self.cluster = cluster
        self.schedule = schedule
        self.arrays = arrays
        self.length = length
        self.width = width

    @classmethod
    def of(
        cls,
        cluster: Cluster,
        schedule: Schedule,
        arrays: Sequence[Value],
    ) -> ShortRows | None:
        """Those of a cluster; None if it has no such rows, as far as is known or to be expected."""
        outer, length = cluster.expected[: -cluster.row_axes], length_of_rows(cluster)
        if not outer or length is None or not 1 < length <= _MOST:
            return None
        if length * len(cluster.operations) > _LONGEST or not _is_plain(cluster, schedule):
            return None
        has_columns = any(map(cluster.is_constant_along_row, arrays))
        if not (cluster.rows or cluster.accumulations or has_columns):
            return None  # then all rows are one, or there are no numbers to spread in each
        every = [each for op in cluster.operations for each in (*op.operands, *op.results)]
        dtypes = [dtype_of(each) for each in every if dims_of(each.type) or cluster.makes(each)]
        width = register_bytes() // max(dtype.itemsize for dtype in dtypes)
        while outer[-1] is not None and width > outer[-1]:
            width //= 2
        found = cls(cluster, schedule, arrays, length, width)
        has_parts = any(dtype.kind == "c" for dtype in dtypes)
        is_known = all(each in cluster.outputs or found._is_whole_or_one(each) for each in arrays)
        return None if has_parts or width < _LEAST or not is_known else found

    def _is_whole_or_one(self, array: Value) -> bool:
        """Whether it has all elements of a row, or one for the row."""
        count = self.cluster.row_axes
        row = dims_of(array.type)[-count:]
        return row == self.cluster.domain[-count:] or all(dim == 1 for dim in row)

    def emit(
        self,
        builder: ir.IRBuilder,
        frame: Mapping[object, ir.Value],
        count: ir.Value,
        strides: Mapping[object, ir.Value],
    ) -> ir.Value:
        """The loop over ``count`` rows, as far as it goes; it ends at the row that is given."""
        fits = builder.icmp_signed("==", frame["size"], I64(self.length))
        for array in self.arrays:
            if not self.is_column(array):
                follows = builder.icmp_signed("==", strides[array], I64(self._step(array)))
                fits = builder.and_(fits, follows)
        end = builder.select(fits, builder.and_(count, I64(-self.width)), I64(0))
        with counted(builder, I64(0), end, self.width, as_written=True) as index:
            places = dict(frame)
            for each in self.arrays:
                places[each] = moved(builder, frame[each], index, strides[each])
            _Rows(builder, self, places, strides).emit()
        return end

    def is_column(self, array: Value) -> bool:
        """Whether an array has a number for each row, and is part of another, most likely."""
        made = array.defining_op
        is_part = made is not None and made not in self.cluster and is_view(made)
        return is_part and bool(self._step(array)) and self.cluster.is_constant_along_row(array)

    def _step(self, array: Value) -> int:
        """How many bytes there are from row to row; 0 if it is the same for all."""
        itemsize = dtype_of(array).itemsize
        if array in self.cluster.outputs:
            return itemsize * (self.length if self.cluster.is_whole(array) else 1)
        dims, count = dims_of(array.type), self.cluster.row_axes
        if len(dims) <= count or dims[-count - 1] == 1:
            return 0
        return itemsize * (1 if self.cluster.is_constant_along_row(array) else self.length)

    def rows(self, array: Value) -> int:
        """Of how many rows an array has elements there: all or, the same for all, one."""
        return self.width if self._step(array) else 1

    def elements(self, array: Value) -> int:
        """How many elements of each row an array has."""
        if array in self.cluster.outputs:
            return self.length if self.cluster.is_whole(array) else 1
        return 1 if self.cluster.is_constant_along_row(array) else self.length


def length_of_rows(cluster: Cluster) -> int | None:
    """How many elements a row has, if that is known or to be expected."""
    known = [size for size in cluster.expected[-cluster.row_axes :] if size is not None]
    return math.prod(known) if len(known) == cluster.row_axes else None


def _is_plain(cluster: Cluster, schedule: Schedule) -> bool:
    """Whether nothing is done but to read, compute and store, and to reduce rows."""
    if cluster.sinks or cluster.gathers:
        return False
    return all(
        each.op.name in _REDUCTIONS and (each not in walk.accumulations or accumulates_rows(each))
        for walk in schedule.walks
        for each in walk.reducing
    )


class _Rows:
    """What is computed at a time: of each value of the cluster, its elements in the rows, or the
    one that each row has.
    """

    def __init__(
        self,
        builder: ir.IRBuilder,
        short: ShortRows,
        frame: Mapping[object, ir.Value],
        strides: Mapping[object, ir.Value],
    ) -> None:
        self._builder = builder
        self._short = short
        self._cluster = short.cluster
        self._frame = frame
        self._strides = strides
        self._found: dict[Value, list[ir.Value]] = {}

    def emit(self) -> None:
        """Compute and store everything."""
        for walk in self._short.schedule.walks:
            for operation in walk.numbers:
                self._computed(operation)
            for operation in walk.elements:
                self._computed(operation)
            for operation in walk.reducing:
                self._reduced(operation)

    def _read(self, value: Value) -> list[ir.Value]:
        """The elements of a value."""
        source = self._short.schedule.source(value)
        if source not in self._found:
            self._found[source] = self._loaded(source)
        return self._found[source]

    def _loaded(self, source: Value) -> list[ir.Value]:
        builder, short, place = self._builder, self._short, self._frame[source]
        if source not in short.arrays:
            return [splat(builder, place, short.width)]
        dtype, count, rows = dtype_of(source), short.elements(source), short.rows(source)
        if short.is_column(source):
            return [from_memory(builder, dtype, self._column(source))]
        loaded = builder.load(place, typ=memory_type(dtype, count * rows), align=1)
        each = [from_memory(builder, dtype, part) for part in parted(builder, loaded, count)]
        return each if rows > 1 else [splat(builder, number, short.width) for number in each]

    def _column(self, array: Value) -> ir.Value:
        """A number for each row, however far apart they lie."""
        builder, stride, width = self._builder, self._strides[array], self._short.width
        kind = memory_type(dtype_of(array), 1)
        found: ir.Value = ir.Constant(ir.VectorType(kind, width), ir.Undefined)
        for row in range(width):
            place = moved(builder, self._frame[array], I64(row), stride)
            number = builder.load(place, typ=kind, align=1)
            found = builder.insert_element(found, number, ir.IntType(32)(row))
        return found

    def _computed(self, operation: Operation) -> None:
        read = [self._read(value) for value in operands_of(operation)]
        count = max(map(len, read))
        places = [[each[n % len(each)] for each in read] for n in range(count)]
        elements = [element(operation, self._builder, values) for values in places]
        self._keep(operation.results[0], elements)

    def _keep(self, value: Value, elements: list[ir.Value]) -> None:
        self._found[value] = elements
        if value in self._cluster.outputs:
            dtype, count = dtype_of(value), self._short.elements(value)
            every = elements * (count // len(elements))
            stored = [in_memory(self._builder, dtype, each) for each in every]
            self._builder.store(interleaved(self._builder, stored), self._frame[value], align=1)

    # --- reductions -------------------------------------------------------------------------------

    def _reduced(self, operation: Operation) -> None:
        (result,) = operation.results
        elements = self._read(operation.operands[0])
        elements = elements * (self._short.length // len(elements))
        size = I64(self._short.length)
        before = None if self._cluster.is_row_value(result) else self._loaded(result)[0]
        if is_pairwise(operation):
            total = few_summed(self._builder, elements)
            found = summed_up(self._builder, operation, total, size, before)
        else:
            found = folded_up(self._builder, operation, elements, size, before)
        self._keep(result, [found])
