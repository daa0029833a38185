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
operations in the block neither reads their results nor writes to memory.

A sink writes the elements to an array that is there already: ``x[1:-1] = ...``, ``x += ...`` or
``x[x < 0] = 0``. ``sinks`` says which can be members, and what may follow them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from staticpy.ir import Block, Dim, Operation, TensorType, dims_of, is_mutable_memory
from staticpy.ops import Effect, broadcast, constant_value, is_inexact
from staticpy.passes.cluster import Cluster
from staticpy.passes.effects import effects_by_op
from staticpy.passes.loop_kinds import (
    accumulates_rows,
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

_MOVABLE = ("constant", "dim", "from_python", "item", "truth", "unbox")
"""Besides ``py.*`` and what has numbers alone for operands: what may stand between the operations
of a cluster."""

_READERS = ("item", "truth", "unbox")
"""Of these, what reads an element of an array."""


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

    def clusters(self) -> Iterator[Cluster]:
        for operation in self._block.operations:
            if is_sink(operation) and self._has_form(operation):
                yield from self._sunk(operation)
                continue
            if self._open is not None and not self._can_follow(operation, self._open):
                yield from self._split(operation)
            if self._joins(operation):
                continue
            if self._open is not None and not self._may_wait_for(operation):
                yield from self._closed(operation)
            domain = self._domain_of(operation)
            if domain is not None:
                if self._open is not None:
                    yield from self._closed(operation)
                self._open = Cluster(domain)
                self._open.add(operation)

    def _can_follow(self, operation: Operation, cluster: Cluster) -> bool:
        """Whether what could join may do so after the sinks, if there are any."""
        is_one = bool(cluster.sinks) and self._domain_of(operation) is not None
        return not is_one or can_follow(operation, cluster)

    def _closed(self, before: Operation) -> Iterator[Cluster]:
        cluster, self._open = self._open, None
        assert cluster is not None
        cluster.close(_without_useless_end(cluster) or before)
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
                yield from self._closed(sink)
            goes_on = is_one_more(sink, self._open)
        domain = target_dims(sink)
        if self._open is None and domain:
            self._open = Cluster(domain)
        if self._open is not None:
            self._open.add(sink)
            if not goes_on:
                yield from self._closed(sink)

    def _split(self, before: Operation) -> Iterator[Cluster]:
        """Close the open cluster after its last sink; what came after that is open then."""
        cluster = self._open
        assert cluster is not None
        rest = cluster.cut(cluster.operations.index(cluster.sinks[-1]) + 1)
        yield from self._closed(before)
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

    def _may_wait_for(self, operation: Operation) -> bool:
        """Whether ``operation`` may come before all members of the open cluster."""
        assert self._open is not None
        if operation.regions or operation.op.is_terminator:
            return False
        if any(value.defining_op in self._open for value in operation.operands):
            return False
        if not (operation.op.name in _MOVABLE or is_view(operation) or _is_of_numbers(operation)):
            return False
        if self._open.sinks and operation.op.name in _READERS:
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
    first = None
    while cluster.operations and cluster.operations[-1].op is broadcast:
        first = cluster.operations[-1]
        cluster.drop_last()
    return first
