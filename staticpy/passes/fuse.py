"""Which operations on arrays are computed together, element by element or row by row.

    %1 = subtract %x, %m          cluster over [n0, n1]
    %2 = exp %1                     element   %1 = subtract %x, %m
    %3 = sum %2 {axis = 1}          element   %2 = exp %1
    %4 = matmul %2, %w              row       %3 = sum %2
                                  %4 = matmul %2, %w

In: a Block. Out: its Clusters, each of which stands for some of its operations and is computed in
one walk over a domain of elements, before the operation ``before``. Nothing is changed: a backend
that makes loops of its own asks. A cluster holds elementwise operations over its domain, stretched
operands, gathers from arrays that are there before, reductions over the last axis, or the last few,
and, once these are known, elementwise operations on what is left of a row. Reductions over other
axes are accumulated along the way, and known when the walk has ended. What stands between its
operations in the block neither reads their results nor writes to memory; where it is elementwise
over another domain, as ``c[1:] * 0.5`` before it is added to rows, it is a cluster that goes ahead.

A sink writes the elements to an array that is there already: ``x[1:-1] = ...``, ``x += ...`` or
``x[x < 0] = 0``. ``sinks`` says which can be members, and what may follow them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile

from staticpy.ir import Block, Dim, Operation, TensorType, dims_of, is_mutable_memory
from staticpy.ops import Effect, broadcast, constant_value, is_inexact
from staticpy.passes.cluster import Cluster
from staticpy.passes.effects import effects_by_op
from staticpy.passes.loop_kinds import (
    accumulates_rows,
    adds_axes,
    is_accumulation,
    is_elementwise,
    is_gather,
    is_reduction,
    is_row_gather,
    is_sink,
    is_view,
    last_axes,
    target_dims,
)
from staticpy.passes.sinks import can_follow, is_one_more, takes

_MOVABLE = ("constant", "dim", "from_python", "item", "truth", "unbox", "zeros", "zeros_like")
"""Besides ``py.*`` and what has numbers alone for operands: what may stand between the operations
of a cluster."""

_READERS = ("item", "truth", "unbox")
"""Of these, what reads an element of an array."""

_COPIES = ("roll",)
"""What makes new arrays of old ones, of which several are read together: sums of neighbours."""


def fuse(block: Block, has_form: Callable[[Operation], bool]) -> list[Cluster]:
    """The clusters of ``block``, in order. ``has_form`` says of an elementwise operation, or a
    reduction, whether the backend can compute it element by element.
    """
    return list(_Fuser(block, has_form).clusters())


class _Fuser:
    def __init__(self, block: Block, has_form: Callable[[Operation], bool]) -> None:
        self._block = block
        self._has_form = has_form
        self._open: Cluster | None = None
        self._ahead: _Fuser | None = None

    def clusters(self) -> Iterator[Cluster]:
        for operation in self._block.operations:
            if is_sink(operation) and self._has_form(operation):
                yield from self._sunk(operation)
                continue
            if self._open is not None and not self._can_follow(operation, self._open):
                yield from self._split(operation)
            if self._joins(operation):
                continue
            if self._goes_ahead(operation):
                self._ahead = self._ahead or _Fuser(self._block, self._has_form)
                yield from self._ahead.begun(operation)
                continue
            yield from self.waited_for(operation, operation)
            if self._domain_of(operation) is not None:
                yield from self.begun(operation)

    def waited_for(self, operation: Operation, before: Operation) -> Iterator[Cluster]:
        """Close what an operation, which joins nothing, may not come before: ``before`` it or, if
        that comes earlier, what the open cluster may drop at its end.
        """
        if self._ahead is not None and self._open is not None:
            first, *_ = *_useless_end(self._open), before
            yield from self._ahead.waited_for(operation, first)
        if self._open is not None and not self._may_wait_for(operation):
            yield from self.closed(before)

    def begun(self, operation: Operation) -> Iterator[Cluster]:
        """Let an operation join the open cluster, or begin another one."""
        if self._joins(operation):
            return
        yield from self.closed(operation)
        domain = self._domain_of(operation)
        assert domain is not None
        self._open = Cluster(domain)
        self._open.add(operation)

    def _can_follow(self, operation: Operation, cluster: Cluster) -> bool:
        """Whether what could join may do so after the sinks, if there are any."""
        is_one = bool(cluster.sinks) and self._domain_of(operation) is not None
        return not is_one or can_follow(operation, cluster)

    def closed(self, before: Operation) -> Iterator[Cluster]:
        """Close the open cluster, if there is one, and what goes ahead of it."""
        cluster, self._open = self._open, None
        if cluster is None:
            return
        before = _without_useless_end(cluster) or before
        if self._ahead is not None:
            yield from self._ahead.closed(before)
        cluster.close(before)
        if any(operation.op is not broadcast for operation in cluster.operations):
            yield cluster

    # --- what is written --------------------------------------------------------------------------

    def _sunk(self, sink: Operation) -> Iterator[Cluster]:
        """Let ``sink`` be a member of the open cluster, or of one that begins with it."""
        goes_on = is_one_more(sink, self._open)
        if self._open is not None and not goes_on:
            if self._open.sinks:
                yield from self._split(sink)
            if self._open is not None and not takes(sink, self._open):
                yield from self.closed(sink)
            goes_on = is_one_more(sink, self._open)
        domain = target_dims(sink)
        if self._open is None and domain:
            self._open = Cluster(domain)
        if self._open is not None:
            self._open.add(sink)
            if not goes_on:
                yield from self.closed(sink)

    def _split(self, before: Operation) -> Iterator[Cluster]:
        """Close the open cluster after its last sink; what came after that is open then."""
        cluster = self._open
        assert cluster is not None
        rest = cluster.cut(cluster.operations.index(cluster.sinks[-1]) + 1)
        yield from self.closed(before)
        if rest:
            self._open = Cluster(cluster.domain)
            for operation in rest:
                self._open.add(operation)

    # --- what begins a cluster --------------------------------------------------------------------

    def _domain_of(self, operation: Operation) -> tuple[Dim, ...] | None:
        """The domain of a cluster that begins with ``operation``; None where it can't begin one."""
        if is_reduction(operation) or is_accumulation(operation):
            begins = self._has_form(operation) and not _has_short_cut(operation)
            return dims_of(operation.operands[0].type) if begins else None
        if operation.op is broadcast or self._is_elementwise(operation):
            return dims_of(operation.results[0].type) or None
        return None

    def _is_elementwise(self, operation: Operation) -> bool:
        is_one = is_elementwise(operation) or is_gather(operation)
        return is_one and self._has_form(operation)

    # --- what joins it ----------------------------------------------------------------------------

    def _joins(self, operation: Operation) -> bool:
        cluster = self._open
        if cluster is None or any(map(cluster.is_accumulated, operation.operands)):
            return False
        if is_reduction(operation) or is_accumulation(operation):
            joins = self._has_form(operation) and self._can_reduce(operation, cluster)
            if joins:
                cluster.add(operation)
            return joins
        if self._is_view_of_rows(operation, cluster):
            cluster.add(operation, is_row=True)
            return True
        if operation.op is not broadcast and not self._is_elementwise(operation):
            return False
        if self._is_of_rows(operation, cluster):
            cluster.add(operation, is_row=True)
            return True
        return self._joins_whole(operation, cluster)

    @staticmethod
    def _can_reduce(operation: Operation, cluster: Cluster) -> bool:
        """Whether a reduction is one of this domain, and of rows as the others have them."""
        (operand,) = operation.operands
        if dims_of(operand.type) != cluster.domain or cluster.is_row_value(operand):
            return False
        if _has_short_cut(operation) and not cluster.makes(operand):
            return False
        count = max(last_axes(operation), 1)
        accumulates = any(map(accumulates_rows, cluster.accumulations))
        if is_accumulation(operation) and (count == 1 or accumulates or cluster.rows):
            return cluster.row_axes == count
        if count > 1 and cluster.row_gathers:
            return False
        if any(_is_complex(each) != _is_complex(operation) for each in cluster.rows):
            return False  # NumPy sums complex numbers in another order
        if cluster.rows or accumulates:
            return count == cluster.row_axes
        return count == 1 or not cluster.accumulations

    def _joins_whole(self, operation: Operation, cluster: Cluster) -> bool:
        dims = dims_of(operation.results[0].type)
        if not dims or dims != cluster.domain:
            return False
        if is_gather(operation):
            joins = self._can_gather(operation, cluster)
        elif operation.op is not broadcast:
            # A row has its place only where it is stretched.
            joins = not any(map(cluster.is_row_value, operation.operands))
        else:
            joins = self._can_stretch(operation, cluster)
        if joins:
            cluster.add(operation)
        return joins

    @staticmethod
    def _can_gather(operation: Operation, cluster: Cluster) -> bool:
        """Whether what is read is there before the walk, and where is known at each place."""
        table, *indices = operation.operands
        if is_row_gather(operation) and cluster.row_axes > 1:
            return False
        made = [value for value in indices if cluster.makes(value)]
        return not cluster.makes(table) and all(map(cluster.is_whole, made))

    @staticmethod
    def _can_stretch(operation: Operation, cluster: Cluster) -> bool:
        """Whether the members among the operands are whole, or numbers of rows."""
        for value in operation.operands:
            dims = dims_of(value.type)
            if not cluster.makes(value):
                continue
            if cluster.is_row_value(value):
                count = cluster.row_axes
                if dims and dims != (*cluster.domain[:-count], *(1,) * count):
                    return False
            elif dims != cluster.domain:
                return False
        return True

    @staticmethod
    def _is_view_of_rows(operation: Operation, cluster: Cluster) -> bool:
        """Whether an operation gives numbers of rows the axes along which they are the same."""
        if not adds_axes(operation) or not cluster.is_row_value(operation.operands[0]):
            return False
        count = cluster.row_axes
        return dims_of(operation.results[0].type) == (*cluster.domain[:-count], *(1,) * count)

    def _is_of_rows(self, operation: Operation, cluster: Cluster) -> bool:
        """Whether an operation computes with numbers of rows, of which it gives one for each."""
        if not any(map(cluster.is_row_value, operation.operands)):
            return False
        dims = dims_of(operation.results[0].type)
        if dims == cluster.domain:
            return False
        return all(
            not isinstance(value.type, TensorType)
            or (cluster.is_row_value(value) and dims_of(value.type) == dims)
            for value in operation.operands
        )

    # --- what ends it -----------------------------------------------------------------------------

    def _goes_ahead(self, operation: Operation) -> bool:
        """Whether what can't join the open cluster is computed before it, in one of its own."""
        if self._open is None or self._open.sinks or self._domain_of(operation) is None:
            return False
        if self._open.operations[-1].op is broadcast:
            return False  # for others, perhaps: before it all has to be there
        return self._may_come_before(operation)

    def _may_wait_for(self, operation: Operation) -> bool:
        """Whether ``operation``, which is done where it stands, may come before all members of the
        open cluster.
        """
        assert self._open is not None
        if operation.regions or operation.op.is_terminator:
            return False
        is_light = is_view(operation) or _is_of_numbers(operation)
        if not (is_light or operation.op.name in (*_MOVABLE, *_COPIES)):
            return False
        if self._open.sinks and operation.op.name in (*_READERS, *_COPIES):
            return False
        return self._may_come_before(operation)

    def _may_come_before(self, operation: Operation) -> bool:
        """Whether nobody sees that an operation is done before the members of the open cluster."""
        assert self._open is not None
        if any(value.defining_op in self._open for value in operation.operands):
            return False
        effects = effects_by_op(operation)
        if Effect.RAISES in effects and self._open.may_raise:
            return False  # which of the two exceptions comes first can be seen
        if (self._open.may_raise or self._open.sinks) and _warns_at_once(operation):
            return False  # so can a warning, behind an exception or a write
        return Effect.WRITES not in effects


def _is_complex(operation: Operation) -> bool:
    """Whether an operation reduces complex numbers, or computes with some."""
    operand = operation.operands[0].type
    return isinstance(operand, TensorType) and operand.dtype.kind == "c"


def _has_short_cut(operation: Operation) -> bool:
    """Whether NumPy reads no further than it has to: such a reduction joins what computes its
    operand, but begins nothing.
    """
    operand = operation.operands[0].type
    is_of_bools = isinstance(operand, TensorType) and operand.dtype.kind == "b"
    return operation.op.name in ("any", "all") or (
        is_of_bools and operation.op.name in ("max", "min")
    )


def _is_of_numbers(operation: Operation) -> bool:
    return not any(
        is_mutable_memory(value.type) for value in (*operation.operands, *operation.results)
    )


def _warns_at_once(operation: Operation) -> bool:
    """Whether an operation on numbers may warn where it is done. Floats raise a flag, which is
    looked at later, but for what is known to be divided by 0.
    """
    if Effect.WARNS not in effects_by_op(operation):
        return False
    is_float = all(is_inexact(value.type) for value in operation.results)
    return not is_float or any(constant_value(value) == 0 for value in operation.operands[1:])


def _without_useless_end(cluster: Cluster) -> Operation | None:
    """Drop what stretches operands for an operation that is no member; give the first dropped."""
    ends = _useless_end(cluster)
    for _ in ends:
        cluster.drop_last()
    return ends[0] if ends else None


def _useless_end(cluster: Cluster) -> list[Operation]:
    """The last members, as far as they stretch operands for nobody yet."""
    ends = takewhile(lambda each: each.op is broadcast, reversed(cluster.operations))
    return list(ends)[::-1]
