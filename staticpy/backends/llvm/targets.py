"""The arrays that the sinks of a cluster write to.

In: the sinks, and what the members read. Out: checks of what must hold, and where the loops write:
to the arrays, or, where these have gaps along their rows, to fresh memory that is copied
afterwards. One sink that comes last writes there, too, where its target overlaps what is read at
other places. Where others follow, any two of what is written and read are apart, or, if nothing
has gaps, the same elements in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import is_writeable
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.copies import Walked, copy
from staticpy.backends.llvm.forms import I1, I64, Native
from staticpy.backends.llvm.layouts import are_apart, extent, is_dense, without_ones
from staticpy.backends.llvm.members import dtype_of
from staticpy.backends.llvm.memory import viewed
from staticpy.backends.llvm.mirrored import Mirror
from staticpy.ir import Dim, Operation, Value
from staticpy.passes import Cluster, is_masked, is_there

Extent = tuple[ir.Value, ir.Value]


class Target:
    """What one sink writes to.

    Args:
        domain: the sizes of the walk.
        demand: is told what must hold for it to be there.
    """

    def __init__(
        self,
        cx: Context,
        sink: Operation,
        domain: Sequence[Dim],
        demand: Callable[[ir.Value], None],
    ) -> None:
        self._cx = cx
        self.sink = sink
        self.native: Native = viewed(cx, sink, demand)
        self.sizes: Sequence[ir.Value] = self.native.sizes
        steps = self.sizes, self.native.strides
        strides = without_ones(cx.builder, *steps, domain, self.itemsize)
        self.walked = Walked(self.native.data, strides)
        demand(is_writeable(cx, self.native))

    @property
    def itemsize(self) -> int:
        """Of its elements, in bytes."""
        return dtype_of(self.sink.operands[0]).itemsize

    def turn(self, mirror: Mirror) -> None:
        """Let its axes be in the order of the walk."""
        self.sizes, self.walked = mirror.turned(self.sizes), mirror.walked(self.walked)

    def extent(self, sizes: Sequence[ir.Value]) -> Extent:
        """Its first address, and the one after its last."""
        return _extent(self._cx, self.walked, sizes, self.itemsize)

    def has_gaps(self, sizes: Sequence[ir.Value], row_axes: int) -> ir.Value:
        """Whether its elements along a row aren't neighbours."""
        builder = self._cx.builder
        rows = sizes[-row_axes:], self.walked.strides[-row_axes:]
        return builder.not_(is_dense(builder, *rows, self.itemsize))


class Targets:
    """What the sinks of a cluster write to."""

    def __init__(
        self,
        cx: Context,
        boxes: Boxes,
        cluster: Cluster,
        demand: Callable[[ir.Value], None],
    ) -> None:
        self._cx = cx
        self._boxes = boxes
        self._cluster = cluster
        self._demand = demand
        self._all = {sink: Target(cx, sink, cluster.domain, demand) for sink in cluster.sinks}
        self._each = [self._all[sink] for sink in dict.fromkeys(cluster.firsts.values())]
        self._is_elsewhere: list[ir.Value] = [I1(0) for _ in self._each]
        self._fresh: list[ir.Value] = []
        self.extents: list[Extent] = []
        self.is_direct: ir.Value = I1(0)
        """Whether the one target that there is has gaps, and overlaps nothing."""

    def __iter__(self) -> Iterator[Target]:
        """One for each place."""
        return iter(self._each)

    def __len__(self) -> int:
        return len(self._each)

    def turn(self, mirror: Mirror) -> None:
        """Let their axes be in the order of the walk."""
        for target in self._all.values():
            target.turn(mirror)

    def check(
        self,
        sizes: list[ir.Value],
        arrays: Mapping[Value, Walked],
        numbers: Sequence[Value],
    ) -> None:
        """Demand what must hold, of arrays that are walked along, and numbers that are read before.
        Of the copy of an array to itself nothing is left to do. One to an array that overlaps it in
        other steps is NumPy's: it copies elements that it has overwritten before.
        """
        for target in self._all.values():
            self._check_sizes(target, sizes)
        self.extents = [each.extent(sizes) for each in self._each]
        if self._cluster.is_written_last:
            self._choose(sizes, arrays)
        elif self._each:
            self._check_each(sizes, arrays, numbers)

    def _check_sizes(self, target: Target, sizes: Sequence[ir.Value]) -> None:
        builder = self._cx.builder
        for size, wanted in zip(target.sizes, sizes, strict=True):
            self._demand(builder.icmp_signed("==", size, wanted))
        for axis, stride in enumerate(target.walked.strides):  # no place is written to twice
            moves = builder.icmp_signed("!=", stride, I64(0))
            is_one = builder.icmp_signed("<=", sizes[axis], I64(1))
            self._demand(builder.or_(moves, is_one))

    # --- one, which comes last --------------------------------------------------------------------

    def _choose(self, sizes: list[ir.Value], arrays: Mapping[Value, Walked]) -> None:
        """Where the loops write to."""
        builder, (target,) = self._cx.builder, self._each
        if is_there(target.sink):
            if not self._cluster.outputs:
                sizes[0] = I64(0)
            return
        has_gaps = target.has_gaps(sizes, self._cluster.row_axes)
        fits: ir.Value = I1(1)
        for value, array in arrays.items():
            same = _is_same(builder, array, target.walked)
            apart = self._is_apart(self.extents[0], sizes, value, array)
            fits = builder.and_(fits, builder.or_(apart, same))
            if is_copy(self._cluster):
                self._demand(builder.or_(apart, _has_same_steps(builder, array, target.walked)))
                sizes[0] = builder.select(same, I64(0), sizes[0])
        if self._cluster.gathers:  # whose indexes have to be in bounds before anything is written
            fits = I1(0)
        self._is_elsewhere = [builder.or_(has_gaps, builder.not_(fits))]
        self.is_direct = builder.and_(has_gaps, fits)

    def _is_apart(
        self, written: Extent, sizes: Sequence[ir.Value], value: Value, array: Walked
    ) -> ir.Value:
        """Whether an array that is read has no address in common with what is written."""
        read = _extent(self._cx, array, sizes, dtype_of(value).itemsize)
        return are_apart(self._cx.builder, written, read)

    # --- several ----------------------------------------------------------------------------------

    def _check_each(
        self,
        sizes: Sequence[ir.Value],
        arrays: Mapping[Value, Walked],
        numbers: Sequence[Value],
    ) -> None:
        cx, builder = self._cx, self._cx.builder
        gaps = [target.has_gaps(sizes, self._cluster.row_axes) for target in self._each]
        self._is_elsewhere = gaps
        has_none = builder.not_(reduce(builder.or_, gaps))
        for number, (target, written) in enumerate(zip(self._each, self.extents, strict=True)):
            for value, array in arrays.items():
                fits = self._is_apart(written, sizes, value, array)
                if not self._cluster.is_constant_along_row(value):  # which is read before
                    same = _is_same(builder, array, target.walked)
                    fits = builder.or_(fits, builder.and_(same, has_none))
                self._demand(fits)
            for value in numbers:
                native = cx.get(value)
                if native.form.kind == "array":
                    one = extent(builder, native.data, (), (), dtype_of(value).itemsize)
                    self._demand(are_apart(builder, written, one))
            for before, other in zip(self.extents, self._each[:number], strict=False):
                apart = are_apart(builder, written, before)
                same = _is_same(builder, other.walked, target.walked)
                self._demand(builder.or_(apart, builder.and_(same, has_none)))

    # --- what the loops are given -----------------------------------------------------------------

    def written(self, sizes: Sequence[ir.Value]) -> list[Walked]:
        """Where the loops write, of each place that is written to."""
        self._fresh = [self._cx.new_slot() for _ in self._each]
        every = zip(self._each, self._is_elsewhere, self._fresh, strict=True)
        return [self._written(sizes, *each) for each in every]

    def _written(
        self, sizes: Sequence[ir.Value], target: Target, is_elsewhere: ir.Value, slot: ir.Value
    ) -> Walked:
        cx = self._cx
        parts = [target.walked.data, *target.walked.strides]
        places = [cx.variable(part.type) for part in parts]
        for part, place in zip(parts, places, strict=True):
            cx.builder.store(part, place)
        with cx.on(is_elsewhere, "elsewhere"):
            fresh = self._boxes.new_array(cx, target.native.form, sizes)
            cx.keep(fresh.value, slot)
            for part, place in zip((fresh.data, *fresh.strides), places, strict=True):
                cx.builder.store(part, place)
            if self._is_read(target):
                copy(cx, sizes, target.itemsize, Walked.of(fresh), target.walked)
        data, *strides = (
            cx.builder.load(place, typ=part.type) for part, place in zip(parts, places, strict=True)
        )
        return Walked(data, strides)

    def _is_read(self, target: Target) -> bool:
        """Whether what the loops write to, they read, or leave in part as it is."""
        firsts = self._cluster.firsts.items()
        there = [each for each, first in firsts if first is target.sink]
        return any(
            each not in self._all or each.op.name != "store" or is_masked(each) for each in there
        )

    def write_back(self, sizes: Sequence[ir.Value], written: Sequence[Walked]) -> None:
        """What the loops have written elsewhere."""
        every = zip(self._each, self._is_elsewhere, self._fresh, written, strict=True)
        for target, is_elsewhere, slot, walked in every:
            with self._cx.on(is_elsewhere, "back"):
                copy(self._cx, sizes, target.itemsize, target.walked, walked)
                self._cx.keep(NULL, slot)


def is_copy(cluster: Cluster) -> bool:
    """Whether a cluster is no more than ``x[...] = y``."""
    is_one = len(cluster.operations) == len(cluster.sinks) == 1
    return is_one and cluster.sinks[0].op.name == "store" and not is_masked(cluster.sinks[0])


def _extent(cx: Context, array: Walked, sizes: Sequence[ir.Value], itemsize: int) -> Extent:
    return extent(cx.builder, array.data, sizes, array.strides, itemsize)


def _is_same(builder: ir.IRBuilder, one: Walked, other: Walked) -> ir.Value:
    """Whether two arrays of the same sizes begin at one place, and go on in the same steps."""
    at_one = builder.icmp_unsigned("==", one.data, other.data)
    return builder.and_(at_one, _has_same_steps(builder, one, other))


def _has_same_steps(builder: ir.IRBuilder, one: Walked, other: Walked) -> ir.Value:
    same: ir.Value = I1(1)
    for mine, its in zip(one.strides, other.strides, strict=True):
        same = builder.and_(same, builder.icmp_signed("==", mine, its))
    return same
