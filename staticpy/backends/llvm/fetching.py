"""The next row, brought to the cache while this one is computed.

In: the walks along the rows of a cluster. Out: instructions that fetch what lies as far behind the
elements that are read, and written, as the next row does. While a row is walked along several times
the processor doesn't look ahead by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import I8, I64
from staticpy.backends.llvm.members import dtype_of, operands_of
from staticpy.backends.llvm.vectors import prefetch
from staticpy.ir import Value
from staticpy.passes import Cluster, Schedule, Walk

_SHORT_ROW = 4096
"""Of so many elements the next row may be in the first caches beside this one."""


class Fetching:
    """What is fetched, by the last of several walks along a row that reads what the loops haven't
    made.
    """

    def __init__(
        self, cluster: Cluster, schedule: Schedule, arrays: Collection[object], rank: int
    ) -> None:
        self._cluster, self._schedule, self._arrays = cluster, schedule, arrays
        busy = [walk for walk in schedule.walks if not walk.is_idle]
        is_there = rank > 1 and len(busy) > 1
        readers = (walk for walk in reversed(busy) if is_there and self._inputs(walk))
        self.walk = next(readers, None)

    def _inputs(self, walk: Walk) -> list[Value]:
        """The arrays of others whose elements a walk reads."""
        members = [*walk.elements, *walk.reducing]
        read = [self._schedule.source(value) for each in members for value in operands_of(each)]
        return [each for each in read if each in self._arrays and not self._cluster.makes(each)]

    @staticmethod
    def ahead(builder: ir.IRBuilder, size: ir.Value) -> ir.Value:
        """How far the next row is where rows are dense; none if it wouldn't stay in the cache."""
        is_short = builder.icmp_signed("<=", size, I64(_SHORT_ROW))
        return builder.select(is_short, size, I64(0))

    def emit(
        self, builder: ir.IRBuilder, frame: Mapping[object, ir.Value], index: ir.Value
    ) -> None:
        """Fetch what belongs to an index."""
        assert self.walk is not None
        cluster, inputs = self._cluster, self._inputs(self.walk)
        written = [each for each in cluster.outputs if each in self._arrays]
        rows = {
            each: frame[each]
            for each in (*inputs, *written)
            if not cluster.is_row_value(each) and not cluster.is_constant_along_row(each)
        }
        rows |= {sink.operands[0]: frame[sink] for sink in cluster.firsts.values()}
        later = builder.add(index, frame["ahead"])
        for value, row in rows.items():
            offset = builder.mul(later, I64(dtype_of(value).itemsize))
            place = builder.gep(row, [offset], source_etype=I8)
            prefetch(builder, place, is_written=value not in inputs)
