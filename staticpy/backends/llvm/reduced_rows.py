"""What must hold of arrays that the loops of a cluster reduce, so that they do as NumPy does.

In: the arrays that are read, as they are walked along, and the sizes of the domain. Out: truth
values; where one is false, the kernels are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.copies import Walked
from staticpy.backends.llvm.forms import I64
from staticpy.backends.llvm.layouts import is_aligned, is_dense
from staticpy.backends.llvm.members import dtype_of
from staticpy.backends.llvm.reductions import EXACT, MEANS, is_mean_of_integers, is_pairwise
from staticpy.ir import Value
from staticpy.passes import Cluster, Schedule, accumulates_rows, is_reduction, reduced_axes

_BUFFER = 8192
"""How many elements NumPy's iterators take at a time, if nobody has set another number."""


@cache
def sums_in_pieces() -> bool:
    """Whether this NumPy adds up long rows of floats in pieces, one after the other, as earlier
    versions do (2.0, for one), and not as a whole.
    """
    row = 1 / np.arange(1, 4 * _BUFFER + 1, dtype=np.float32)
    pieces = row.reshape(-1, _BUFFER).sum(axis=1)
    return bool(row.sum() == np.add.accumulate(pieces)[-1])


def reduction_checks(
    builder: ir.IRBuilder,
    schedule: Schedule,
    cluster: Cluster,
    arrays: Sequence[tuple[Value, Walked]],
    sizes: Sequence[ir.Value],
) -> Iterator[ir.Value]:
    """NumPy warns of a mean of nothing and of too few degrees of freedom, and refuses the extrema
    of nothing. Floats along several axes it sums as a whole where they lie as a whole; axes before
    one of size 1 as a row, and those on both sides of it; and what lies at odd addresses in pieces,
    as long as its buffer, as earlier versions do long rows.
    """
    count = cluster.row_axes
    reducing = [each for walk in schedule.walks for each in walk.reducing]
    if any(operation.op.name in (*MEANS, "max", "min") for operation in reducing):
        yield from (builder.icmp_signed(">", size, I64(0)) for size in sizes)
    for operation in (each for each in reducing if each.attrs.get("ddof")):
        reduced = reduce(builder.mul, [sizes[axis] for axis in reduced_axes(operation)])
        yield builder.icmp_signed(">", reduced, I64(operation.attrs["ddof"]))
    summed = {schedule.source(each.operands[0]) for each in reducing if is_pairwise(each)}
    for value, array in arrays:
        itemsize = dtype_of(value).itemsize
        if value in summed:
            yield is_aligned(builder, array.data, array.strides, itemsize)
        if value in summed and count > 1:
            yield is_dense(builder, sizes[-count:], array.strides[-count:], itemsize)
    if any(map(is_pairwise, (*reducing, *cluster.accumulations))) and sums_in_pieces():
        row = reduce(builder.mul, sizes[-count:])
        yield builder.icmp_signed("<=", row, I64(_BUFFER))
    if any(is_mean_of_integers(each) for each in reducing if is_reduction(each)):
        row = reduce(builder.mul, sizes[-count:])
        yield builder.icmp_signed("<=", row, I64(EXACT))
    if any(dtype_of(each.results[0]).kind in "fc" for each in cluster.accumulations):
        yield builder.icmp_signed("!=", sizes[-1], I64(1))
    if any(is_pairwise(each) and accumulates_rows(each) for each in cluster.accumulations):
        yield from (builder.icmp_signed("!=", size, I64(1)) for size in sizes)
