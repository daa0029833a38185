"""In which walks along a row the operations of a cluster are done.

    %1 = max %x                     walk 0   reduces %x
    %2 = subtract %x, %1            walk 1   computes %2, %3; reduces %3; keeps %3
    %3 = exp %2
    %4 = sum %3
    %5 = true_divide %3, %4         walk 2   computes %5

In: a Cluster. Out: its Schedule. A walk computes each element from elements at the same place of
the row and from numbers of the row that earlier walks have found. What a later walk reads again is
kept in memory: in an output, or in scratch as long as a row.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from staticpy.ir import Operation, Value
from staticpy.passes.cluster import Cluster
from staticpy.passes.loop_kinds import is_reduction, is_sink, read_in_place, stretches


@dataclass(slots=True, eq=False)
class Walk:
    """One pass along a row.

    Attributes:
        numbers: the operations on numbers of the row that are done before it.
        elements: the operations that are done at each place.
        reductions: those that are complete when it ends.
        accumulations: those that take in its elements, and are complete after all rows.
        sinks: those that write elements to arrays that are there already.
        steps: all but the numbers, in order.
    """

    numbers: list[Operation] = field(default_factory=list)
    elements: list[Operation] = field(default_factory=list)
    reductions: list[Operation] = field(default_factory=list)
    accumulations: list[Operation] = field(default_factory=list)
    sinks: list[Operation] = field(default_factory=list)
    steps: list[Operation] = field(default_factory=list)

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do at each place."""
        return not self.steps

    @property
    def reducing(self) -> list[Operation]:
        """The operations that take in its elements."""
        return [*self.reductions, *self.accumulations]

    def only(self, operations: Collection[Operation]) -> Walk:
        """The same, but that of its elements and reductions only these are done."""
        return Walk(
            elements=[each for each in self.elements if each in operations],
            reductions=[each for each in self.reductions if each in operations],
            accumulations=[each for each in self.accumulations if each in operations],
            steps=[each for each in self.steps if each in operations],
        )


class Schedule:
    """The walks of a cluster.

    Attributes:
        walks: in order; the last may hold nothing but ``numbers``.
        kept: the elements that a later walk reads again, and outputs.
        scratch: of these, what is no output.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._walk_of: dict[Value, int] = {}
        self._stretched: dict[Value, Value] = {}
        self.walks: list[Walk] = []
        for operation in cluster.operations:
            self._place(operation)
        again = self._read_again()
        wholes = [value for value in cluster.outputs if cluster.is_whole(value)]
        self.kept = list(dict.fromkeys([*wholes, *again]))
        self.scratch = [value for value in again if value not in wholes]

    def source(self, value: Value) -> Value:
        """The value that a stretched operand is made of, or the array that an operator in place has
        written to; any other is its own.
        """
        while value in self._stretched:
            value = self._stretched[value]
        return value

    def walk_of(self, value: Value) -> int:
        """In which walk a value is computed; what comes from outside is there from the first."""
        return self._walk_of.get(self.source(value), 0)

    def _walk(self, number: int) -> Walk:
        while len(self.walks) <= number:
            self.walks.append(Walk())
        return self.walks[number]

    def _place(self, operation: Operation) -> None:
        if stretches(operation):
            self._stretched.update(zip(operation.results, operation.operands, strict=True))
            return
        if is_sink(operation):
            self._place_sink(operation)
            return
        number = max(map(self.walk_of, operation.operands), default=0)
        walk = self._walk(number)
        (result,) = operation.results
        self._walk_of[result] = number
        if is_reduction(operation):
            walk.reductions.append(operation)
            self._walk(number + 1)
            self._walk_of[result] = number + 1
        elif operation in self._cluster.accumulations:
            walk.accumulations.append(operation)
        elif operation in self._cluster.rows:
            walk.numbers.append(operation)
            return
        else:
            walk.elements.append(operation)
        walk.steps.append(operation)

    def _place_sink(self, sink: Operation) -> None:
        """In the last walk that does anything: earlier ones may read what it overwrites. What an
        operator in place gives is the array that it has written to.
        """
        busy = [number for number, walk in enumerate(self.walks) if not walk.is_idle]
        walk = self._walk(max([*map(self.walk_of, read_in_place(sink)), *busy]))
        walk.sinks.append(sink)
        walk.steps.append(sink)
        self._stretched.update(dict.fromkeys(sink.results, sink.operands[0]))

    def _read_again(self) -> list[Value]:
        again: dict[Value, None] = {}
        for number, walk in enumerate(self.walks):
            read = [value for each in walk.steps for value in read_in_place(each)]
            for value in map(self.source, read):
                is_made = value in self._walk_of and not self._cluster.is_row_value(value)
                if is_made and self._walk_of[value] < number:
                    again[value] = None
        return list(again)
