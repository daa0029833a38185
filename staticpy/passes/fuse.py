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
operations in the block neither reads their results nor writes to memory. Its last operation may be
a sink, which writes the elements to an array that is there already: ``x[1:-1] = ...``, ``x += ...``
or ``x[x < 0] = 0``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from staticpy.ir import (
    Block,
    Dim,
    Operation,
    TensorType,
    Value,
    dims_of,
    is_mutable_memory,
)
from staticpy.ops import Effect, broadcast
from staticpy.passes.effects import effects_by_op
from staticpy.passes.loop_kinds import (
    is_accumulation,
    is_elementwise,
    is_gather,
    is_reduction,
    is_sink,
    is_view,
    read_in_place,
    reduced_axes,
    target_dims,
)

_MOVABLE = ("constant", "dim", "from_python", "item", "truth", "unbox")
"""Besides ``py.*`` and what has numbers alone for operands: what may stand between the operations
of a cluster."""


@dataclass(slots=True, eq=False)
class Cluster:
    """Operations of a block that are computed in one walk.

    Attributes:
        domain: the sizes of the walk.
        row_axes: how many axes, the last ones, make a row.
        operations: what is computed, in order.
        before: the operation of the block before which it is computed.
        rows: the members that give one number for each row.
        accumulations: the members that reduce axes before the last.
        outputs: the results that others read, in order; they need memory.
        sink: the member that writes to an array that is there already.
        may_raise: whether an operation may raise, as what stretches operands that don't fit does.
    """

    domain: tuple[Dim, ...]
    operations: list[Operation] = field(default_factory=list)
    row_axes: int = 1
    rows: set[Operation] = field(default_factory=set)
    accumulations: set[Operation] = field(default_factory=set)
    before: Operation | None = None
    outputs: list[Value] = field(default_factory=list)
    sink: Operation | None = None
    may_raise: bool = False
    _members: set[Operation] = field(default_factory=set)

    def __contains__(self, operation: object) -> bool:
        return operation in self._members

    def add(self, operation: Operation, *, is_row: bool = False) -> None:
        """Let ``operation`` be computed, too."""
        self.operations.append(operation)
        self._members.add(operation)
        self.may_raise |= Effect.RAISES in effects_by_op(operation)
        if is_reduction(operation):
            self.row_axes = len(reduced_axes(operation))
        if is_accumulation(operation):
            self.accumulations.add(operation)
        elif is_row or is_reduction(operation):
            self.rows.add(operation)

    def drop_last(self) -> None:
        """Let the last member be no member."""
        operation = self.operations.pop()
        self._members.discard(operation)
        self.rows.discard(operation)

    @property
    def members(self) -> list[Operation]:
        """The operations, and the sink."""
        return self.operations if self.sink is None else [*self.operations, self.sink]

    def makes(self, value: Value) -> bool:
        """Whether a member computes ``value``."""
        return value.defining_op in self._members

    def close(self, before: Operation, sink: Operation | None = None) -> None:
        """Nothing more joins, but for ``sink``."""
        self.before = before
        self.sink = sink
        self.outputs = list(_outputs(self))

    def is_row_value(self, value: Value) -> bool:
        """Whether a member computes ``value``, one number for each row."""
        return value.defining_op in self.rows

    def is_accumulated(self, value: Value) -> bool:
        """Whether ``value`` is known only when the walk has ended."""
        return value.defining_op in self.accumulations

    def is_whole(self, value: Value) -> bool:
        """Whether a member computes ``value``, an element at each place."""
        return self.makes(value) and not self.is_row_value(value) and not self.is_accumulated(value)

    def is_constant_along_row(self, value: Value) -> bool:
        """Whether the sizes of ``value`` say that it is the same at each place of a row."""
        return all(dim == 1 for dim in dims_of(value.type)[-self.row_axes :])

    @property
    def gathers(self) -> list[Operation]:
        """The members that read an array wherever arrays of integers say."""
        return [operation for operation in self.operations if is_gather(operation)]

    @property
    def tables(self) -> list[Value]:
        """What the gathers read, each once."""
        return list(dict.fromkeys(gather.operands[0] for gather in self.gathers))

    @property
    def parallel_axes(self) -> tuple[int, ...]:
        """The axes of the domain along which no number is shared."""
        rank = len(self.domain)
        shared = {axis for each in self.accumulations for axis in reduced_axes(each)}
        if self.rows:
            shared.update(range(rank)[-self.row_axes :])
        return tuple(axis for axis in range(rank) if axis not in shared)

    @property
    def inputs(self) -> list[Value]:
        """What the members read at their own place and none of them computes, each once."""
        read = [value for operation in self.members for value in read_in_place(operation)]
        return [value for value in dict.fromkeys(read) if not self.makes(value)]


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
            if self._joins(operation):
                continue
            if is_sink(operation) and self._has_form(operation):
                yield from self._sunk(operation)
                continue
            if self._open is not None and not self._may_wait_for(operation):
                yield from self._closed(operation)
            domain = self._domain_of(operation)
            if domain is not None:
                if self._open is not None:
                    yield from self._closed(operation)
                self._open = Cluster(domain)
                self._open.add(operation)

    def _closed(self, before: Operation) -> Iterator[Cluster]:
        cluster, self._open = self._open, None
        assert cluster is not None
        cluster.close(_without_useless_end(cluster) or before)
        if any(operation.op is not broadcast for operation in cluster.operations):
            yield cluster

    def _sunk(self, sink: Operation) -> Iterator[Cluster]:
        """The open cluster with ``sink`` as its last member, or one of the sink alone."""
        domain, cluster = target_dims(sink), self._open
        made = [] if cluster is None else list(filter(cluster.makes, sink.operands))
        if cluster is not None and made and may_be_equal(cluster.domain, domain):
            are_whole = all(
                value in read_in_place(sink)
                and dims_of(value.type) == cluster.domain
                and cluster.is_whole(value)
                for value in made
            )
            if are_whole:
                self._open = None
                cluster.close(sink, sink)
                yield cluster
                return
        if cluster is not None:
            yield from self._closed(sink)
        if domain:
            alone = Cluster(domain)
            alone.close(sink, sink)
            yield alone

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
        if is_accumulation(operation):
            return cluster.row_axes == 1
        count = len(reduced_axes(operation))
        if any(_is_complex(each) != _is_complex(operation) for each in cluster.rows):
            return False  # NumPy sums complex numbers in another order
        if cluster.rows:
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
        if any(map(self._open.makes, operation.operands)):
            return False
        if not (operation.op.name in _MOVABLE or is_view(operation) or _is_of_numbers(operation)):
            return False
        effects = effects_by_op(operation)
        if Effect.RAISES in effects and self._open.may_raise:
            return False  # which of the two exceptions comes first can be seen
        return Effect.WRITES not in effects


def may_be_equal(left: tuple[Dim, ...], right: tuple[Dim, ...]) -> bool:
    """Whether two shapes are of one rank, and no two sizes are known to differ."""
    if len(left) != len(right):
        return False
    pairs = zip(left, right, strict=True)
    return all(a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in pairs)


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


def _without_useless_end(cluster: Cluster) -> Operation | None:
    """Drop what stretches operands for an operation that is no member; give the first dropped."""
    first = None
    while cluster.operations and cluster.operations[-1].op is broadcast:
        first = cluster.operations[-1]
        cluster.drop_last()
    return first


def _outputs(cluster: Cluster) -> Iterable[Value]:
    for operation in cluster.operations:
        if operation.op is broadcast:
            continue
        for value in operation.results:
            users = list(value.users)
            if any(_needs_memory(user, cluster) for user in users):
                yield value


def _needs_memory(user: Operation, cluster: Cluster) -> bool:
    """Whether an operation reads a result of ``cluster`` from memory."""
    if user is cluster.sink:
        return False
    return user not in cluster or is_needed(user, cluster)


def is_needed(operation: Operation, cluster: Cluster) -> bool:
    """Whether a member is done once more outside of its cluster: it stretches operands, and others
    read them, too, or one that is done once more stretches them again.
    """
    if operation.op is not broadcast:
        return False
    users = [user for value in operation.results for user in value.users]
    return any(user not in cluster or is_needed(user, cluster) for user in users)
