"""Gathers in the loops of a cluster: ``x[i]``, ``x[i, j]`` and ``np.take(x, i)``.

In: the arrays that are gathered from, and at each place the indexes. Out: the elements there. The
table of the loops says of each such array

    data
    size, stride                of each axis

and after all of them where to say that an index was out of bounds: one byte, for all threads. An
index is read once and looked at where it is used, since another thread may write to it meanwhile.
One that is out of bounds reads the first element, so that there has to be one; what the loops have
written is then thrown away, and the kernels raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.elements import cast, from_memory, memory_type
from staticpy.backends.llvm.forms import I8, I64, POINTER
from staticpy.backends.llvm.members import dtype_of, operands_of
from staticpy.backends.llvm.status import CLEAR_FLAGS, KEEP_FLAGS
from staticpy.backends.llvm.vectors import any_of, constant, lanes, load_each, splat
from staticpy.ir import Operation, Value, dims_of
from staticpy.passes import Cluster, gathered_by

_MISSED = "missed"

Frame = dict[object, ir.Value]
"""The LLVM values that the code of a row needs, by what they are."""

_INT64 = np.dtype(np.int64)


def words_of_tables(cluster: Cluster) -> Iterator[tuple[object, ir.Type]]:
    """What the table of the loops says of the arrays that are gathered from: keys, and types."""
    for table in cluster.tables:
        yield ("table", table), POINTER
        for axis in range(len(dims_of(table.type))):
            yield ("size", table, axis), I64
            yield ("stride", table, axis), I64
    if cluster.gathers:
        yield _MISSED, POINTER


def begin_rows(
    builder: ir.IRBuilder, frame: Frame, cluster: Cluster, number_of: Callable[[Value], ir.Value]
) -> None:
    """Find the rows that are gathered, before a row is walked along."""
    for gather in cluster.row_gathers:
        table, places = gather.operands
        place, outside = _place(builder, frame, table, 0, (number_of(places), dtype_of(places)))
        _say_if(builder, frame, outside)
        frame["row", gather] = builder.gep(frame["table", table], [place], source_etype=I8)


def gathered(
    builder: ir.IRBuilder,
    frame: Mapping[object, ir.Value],
    gather: Operation,
    indices: Sequence[ir.Value],
) -> ir.Value:
    """The elements at ``indices``, numbers or vectors, of each axis that has an array for it."""
    table, dtypes = gather.operands[0], map(dtype_of, operands_of(gather))
    given, count = zip(indices, dtypes, strict=True), lanes(indices[0])
    places = []
    for axis, each in enumerate(gathered_by(gather)):
        index = (I64(each), _INT64) if isinstance(each, int) else next(given)
        place = _place(builder, frame, table, axis, index)
        places.append([splat(builder, part, count // lanes(part)) for part in place])
    offsets, outside = zip(*places, strict=True)
    _say_if(builder, frame, reduce(builder.or_, outside))
    return _loaded(builder, frame["table", table], dtype_of(table), reduce(builder.add, offsets))


def _place(
    builder: ir.IRBuilder,
    frame: Mapping[object, ir.Value],
    table: Value,
    axis: int,
    given: tuple[ir.Value, np.dtype],
) -> tuple[ir.Value, ir.Value]:
    """How many bytes along an axis an index leads, and whether it is out of bounds."""
    index = cast(builder, *given, _INT64)
    size, stride = (
        splat(builder, frame[word, table, axis], lanes(index)) for word in ("size", "stride")
    )
    zero = constant(index.type, 0)
    is_negative = builder.icmp_signed("<", index, zero)
    place = builder.select(is_negative, builder.add(index, size), index)
    outside = builder.icmp_unsigned(">=", place, size)
    return builder.mul(builder.select(outside, zero, place), stride), outside


def _say_if(builder: ir.IRBuilder, frame: Mapping[object, ir.Value], outside: ir.Value) -> None:
    """Say that an index was out of bounds, where one was."""
    with builder.if_then(any_of(builder, outside), likely=False):
        builder.store(I8(1), frame[_MISSED])


def _loaded(builder: ir.IRBuilder, data: ir.Value, dtype: np.dtype, offsets: ir.Value) -> ir.Value:
    """The elements that lie so many bytes from ``data``."""
    item = memory_type(dtype, 1)
    if lanes(offsets) == 1:
        found = builder.load(builder.gep(data, [offsets], source_etype=I8), typ=item, align=1)
    else:
        found = load_each(builder, item, data, offsets)
    return from_memory(builder, dtype, found)


class Tables:
    """The arrays that a cluster gathers from, around its loops."""

    def __init__(self, cx: Context, cluster: Cluster) -> None:
        self._cx = cx
        self._cluster = cluster
        self._missed: ir.Value | None = cx.variable(I8) if cluster.gathers else None

    @property
    def of_rows(self) -> list[Value]:
        """Those of which rows are read."""
        return [gather.operands[0] for gather in self._cluster.row_gathers]

    @property
    def words(self) -> int:
        """How many the table of the loops has of them."""
        return len(list(words_of_tables(self._cluster)))

    def checks(self, sizes: Sequence[ir.Value]) -> Iterator[ir.Value]:
        """What must hold: there is a first element, and indexes to look at. Of those that are
        stretched to nothing NumPy looks at none. Elements of rows are neighbours.
        """
        for table in self.of_rows:
            stride, wanted = self._cx.get(table).strides[1], I64(dtype_of(table).itemsize)
            yield self._cx.builder.icmp_signed("==", stride, wanted)
            length = self._cx.get(table).sizes[1]
            yield self._cx.builder.icmp_signed("==", length, sizes[-1])
        for table in self._cluster.tables:
            for size in (*self._cx.get(table).sizes, *sizes):
                yield self._cx.builder.icmp_signed(">", size, I64(0))

    def parts(self) -> Iterator[ir.Value]:
        """Their words."""
        for native in map(self._cx.get, self._cluster.tables):
            yield native.data
            for pair in zip(native.sizes, native.strides, strict=True):
                yield from pair
        if self._missed is not None:
            yield self._missed

    @contextmanager
    def watched(self, otherwise: ir.Block) -> Iterator[None]:
        """Within, the loops run. If an index was out of bounds it goes on with ``otherwise``, and
        with the flags of the processor as they were.
        """
        cx = self._cx
        if self._missed is None:
            yield
            return
        cx.around_kernel(KEEP_FLAGS)
        cx.builder.store(I8(0), self._missed)
        yield
        missed = cx.builder.load(self._missed, typ=I8)
        with cx.builder.if_then(cx.builder.icmp_signed("!=", missed, I8(0)), likely=False):
            cx.around_kernel(CLEAR_FLAGS)
            cx.builder.branch(otherwise)
