"""Clusters whose arrays lie in the reverse order of their axes, as those of Fortran do.

In: a cluster to which all axes are alike, and how its arrays lie. Out: whether they all lie in the
reverse order, so that NumPy's results would, too, and sizes and strides in the order in which they
are walked along then: the loops are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.copies import Walked
from staticpy.backends.llvm.forms import I1, I64
from staticpy.backends.llvm.layouts import magnitude
from staticpy.ir import UNKNOWN, Operation, Value, dims_of
from staticpy.ops import broadcast
from staticpy.passes import Cluster, is_elementwise, is_reduction, is_sink


class Mirror:
    """Whether the axes of a cluster are walked along in the reverse order, which the run knows.

    Args:
        is_on: the LLVM value of it; None if it never is so.
    """

    def __init__(self, builder: ir.IRBuilder, is_on: ir.Value | None = None) -> None:
        self._builder = builder
        self.is_on = is_on

    @classmethod
    def of(
        cls, builder: ir.IRBuilder, sizes: Sequence[ir.Value], whole: Iterable[Walked]
    ) -> Mirror:
        """One of arrays that aren't stretched. NumPy takes another order of axes for its results
        where no two axes have one element, or steps of one length, and all operands agree.
        """
        is_on: ir.Value = I1(1)
        for size in sizes:
            is_on = builder.and_(is_on, builder.icmp_signed(">", size, I64(1)))
        for array in whole:
            steps = [magnitude(builder, stride) for stride in array.strides]
            is_on = builder.and_(is_on, builder.icmp_signed("!=", steps[0], I64(0)))
            for one, next_ in combinations(steps, 2):
                is_on = builder.and_(is_on, builder.icmp_unsigned("<", one, next_))
        return cls(builder, is_on)

    def turned(self, numbers: Sequence[ir.Value]) -> list[ir.Value]:
        """One number for each axis, in the order of the walk; of those in that order, as it was."""
        if self.is_on is None:
            return list(numbers)
        pairs = zip(reversed(numbers), numbers, strict=True)
        return [a if a is b else self._builder.select(self.is_on, a, b) for a, b in pairs]

    def walked(self, array: Walked) -> Walked:
        """The same of the strides of an array."""
        return Walked(array.data, self.turned(array.strides))


def may_be_mirrored(
    cluster: Cluster,
    arrays: Iterable[Value],
    laid_out: Iterable[Value],
    leaves: Callable[[Value], tuple[Sequence[Value], Sequence[Value]]],
) -> bool:
    """Whether a cluster is the same if its axes are reversed, and its results lie as what it reads.

    Args:
        cluster: the cluster.
        arrays: those that it reads or writes.
        laid_out: the values of which can be seen how NumPy lets them lie.
        leaves: the arrays that such a value is made of, and those of them that aren't reduced.
    """
    domain = cluster.domain
    if len(domain) < 2 or UNKNOWN in domain or 1 in domain:
        return False
    if cluster.gathers or cluster.accumulations or not all(map(_is_alike, cluster.operations)):
        return False
    if cluster.rows and cluster.row_axes < len(domain):
        return False

    def is_whole(value: Value) -> bool:
        return dims_of(value.type) == domain

    values = [value for value in (*arrays, *laid_out) if len(dims_of(value.type)) > 1]
    return all(is_whole(value) and any(map(is_whole, leaves(value)[1])) for value in values)


def _is_alike(operation: Operation) -> bool:
    """Whether an operation is the same along all axes, and NumPy lets its result lie as operands
    do: of ``np.round`` it is in C order where they have gaps.
    """
    if is_elementwise(operation):
        return operation.op.name != "round"
    return operation.op is broadcast or is_sink(operation) or is_reduction(operation)
