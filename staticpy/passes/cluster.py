"""A cluster: operations of a block that are computed in one walk over a domain of elements.

What the members give is an element at each place of the domain, one number for each row, or what
is reduced along the way; and elements written to arrays that are there already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from staticpy.ir import Dim, Operation, Value, dims_of, is_mutable_memory
from staticpy.ops import Effect, broadcast
from staticpy.passes.effects import effects_by_op
from staticpy.passes.expected_sizes import Sizes, expected_sizes, stretched_sizes
from staticpy.passes.loop_kinds import (
    is_accumulation,
    is_gather,
    is_reduction,
    is_row_gather,
    is_sink,
    last_axes,
    read_in_place,
    reduced_axes,
    stretches,
)
from staticpy.passes.places import Place, place_of, target_of


@dataclass(slots=True, eq=False)
class Cluster:
    """Operations of a block that are computed in one walk.

    Attributes:
        domain: the sizes of the walk.
        row_axes: how many axes, the last ones, make a row.
        operations: what is computed, in order.
        before: the operation of the block before which it is computed.
        rows: the members that give one number for each row.
        accumulations: the members that reduce axes before the last, or rows and then several of
            these.
        outputs: the results that others read, in order, and what is accumulated, whoever reads
            it; they need memory.
        sinks: the members that write to arrays that are there already.
        firsts: for each sink, and each input that is the elements that one writes, the first sink
            that writes them; where a sink is the last member, for that one alone.
        may_raise: whether an operation may raise, as what stretches operands that don't fit does.
        expected: the sizes that the walk most likely has; None where there is nothing to tell.
        columns: inputs that most likely are the same along a row, though their types don't say so:
            whoever makes loops of it sees to it that they are.
    """

    domain: tuple[Dim, ...]
    operations: list[Operation] = field(default_factory=list)
    row_axes: int = 1
    rows: set[Operation] = field(default_factory=set)
    accumulations: set[Operation] = field(default_factory=set)
    before: Operation | None = None
    outputs: list[Value] = field(default_factory=list)
    sinks: list[Operation] = field(default_factory=list)
    firsts: dict[Operation | Value, Operation] = field(default_factory=dict)
    may_raise: bool = False
    expected: Sizes = ()
    columns: set[Value] = field(default_factory=set)
    _members: set[Operation] = field(default_factory=set)

    def __contains__(self, operation: object) -> bool:
        return operation in self._members

    def add(self, operation: Operation, *, is_row: bool = False) -> None:
        """Let ``operation`` be computed, too."""
        self.operations.append(operation)
        self._members.add(operation)
        self.may_raise |= Effect.RAISES in effects_by_op(operation)
        if is_sink(operation):
            self.sinks.append(operation)
            return
        self.row_axes = last_axes(operation) or self.row_axes
        if is_accumulation(operation):
            self.accumulations.add(operation)
        elif is_row or is_reduction(operation):
            self.rows.add(operation)

    def cut(self, start: int) -> list[Operation]:
        """Let the operations from ``start`` on, which neither reduce nor write, be no members."""
        rest = self.operations[start:]
        del self.operations[start:]
        self._members.difference_update(rest)
        return rest

    def drop_last(self) -> None:
        """Let the last member be no member."""
        operation = self.operations.pop()
        self._members.discard(operation)
        self.rows.discard(operation)

    def makes(self, value: Value) -> bool:
        """Whether a member computes ``value``."""
        return value.defining_op in self._members and not is_sink(value.defining_op)

    def written(self, value: Value) -> Value:
        """``value``, or the array that it is if a member has written to it: ``x`` of ``x += y``."""
        while value.defining_op in self._members and is_sink(value.defining_op):
            value = value.defining_op.operands[0]
        return value

    def close(self, before: Operation) -> None:
        """Nothing more joins."""
        self.before = before
        self.outputs = list(_outputs(self))
        if not (self.rows or self.accumulations or self.gathers):
            self._lengthen_rows()
        for sink in self.sinks:
            self.firsts[sink] = self._first_at(target_of(sink)) or sink
        if not self.is_written_last:
            found = {
                each: self._first_at(place_of(each)) for each in self.inputs if dims_of(each.type)
            }
            self.firsts |= {value: sink for value, sink in found.items() if sink is not None}

    def _lengthen_rows(self) -> None:
        """Let rows have more than one element: of ``x[..., None]`` they are those of ``x``."""
        while self.row_axes < len(self.domain) and self.domain[-self.row_axes] == 1:
            self.row_axes += 1

    def _first_at(self, place: Place) -> Operation | None:
        """The first sink that writes these elements."""
        return next((each for each in self.sinks if target_of(each).is_same_as(place)), None)

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
        """Whether ``value`` is the same at each place of a row, as its type or ``columns`` say."""
        row = dims_of(value.type)[-self.row_axes :]
        return value in self.columns or all(dim == 1 for dim in row)

    def is_stretchable(self, value: Value) -> bool:
        """Whether all members that read an input stretch it where it has to be."""
        users = [op for op in self.operations if value in op.operands]
        return all(
            op.op is broadcast or is_gather(op) or (is_sink(op) and value is op.operands[1])
            for op in users
        )

    def expect(self, hints: Mapping[str, int]) -> None:
        """Find what sizes there will most likely be, by those that symbols stood for."""
        inputs = [each for each in self.inputs if each not in self.firsts]
        sizes = {each: expected_sizes(each, hints) for each in inputs}
        domain = (dim if isinstance(dim, int) else hints.get(dim) for dim in self.domain)
        known = stretched_sizes([each for each in sizes.values() if len(each) <= len(self.domain)])
        known = (*(1,) * (len(self.domain) - len(known)), *known)
        pairs = zip(domain, known, strict=True)
        self.expected = tuple(size if size is not None else other for size, other in pairs)
        rows = self.expected[-self.row_axes :]
        if self.row_axes == 1 and rows not in ((1,), (None,)):
            ones = (each for each, own in sizes.items() if own[-1:] == (1,))
            self.columns = set(filter(self.is_stretchable, ones))

    @property
    def gathers(self) -> list[Operation]:
        """The members that read an array wherever arrays of integers say."""
        return [operation for operation in self.operations if is_gather(operation)]

    @property
    def row_gathers(self) -> list[Operation]:
        """Those that read rows, each by one number for it."""
        return list(filter(is_row_gather, self.gathers))

    @property
    def tables(self) -> list[Value]:
        """What the gathers read, each once."""
        return list(dict.fromkeys(gather.operands[0] for gather in self.gathers))

    @property
    def is_written_last(self) -> bool:
        """Whether a sink is the last member, and there is no other: nobody reads what it writes."""
        return len(self.sinks) == 1 and self.operations[-1] is self.sinks[0]

    @property
    def targets(self) -> list[Place]:
        """Where the sinks write."""
        return [target_of(sink) for sink in self.sinks]

    @property
    def places(self) -> list[Place]:
        """What is read and written."""
        read = [place_of(value) for value in self.inputs if is_mutable_memory(value.type)]
        return [*read, *self.targets]

    @property
    def parallel_axes(self) -> tuple[int, ...]:
        """The axes of the domain along which no number is shared."""
        rank = len(self.domain)
        shared = {axis for each in self.accumulations for axis in reduced_axes(each)}
        if self.rows or self.row_gathers:
            shared.update(range(rank)[-self.row_axes :])
        return tuple(axis for axis in range(rank) if axis not in shared)

    @property
    def inputs(self) -> list[Value]:
        """What the members read at their own place and none of them computes, each once."""
        read = [value for operation in self.operations for value in read_in_place(operation)]
        return [each for each in dict.fromkeys(map(self.written, read)) if not self.makes(each)]


def _outputs(cluster: Cluster) -> Iterable[Value]:
    for operation in cluster.operations:
        if stretches(operation) or is_sink(operation):
            continue
        for value in operation.results:
            users = list(value.users)
            if cluster.is_accumulated(value) or any(_needs_memory(user, cluster) for user in users):
                yield value


def _needs_memory(user: Operation, cluster: Cluster) -> bool:
    """Whether an operation reads a result of ``cluster`` from memory."""
    return user not in cluster or is_needed(user, cluster)


def is_needed(operation: Operation, cluster: Cluster) -> bool:
    """Whether a member is done once more outside of its cluster: it stretches operands, and others
    read them, too, or one that is done once more stretches them again.
    """
    if not stretches(operation):
        return False
    users = [user for value in operation.results for user in value.users]
    return any(user not in cluster or is_needed(user, cluster) for user in users)
