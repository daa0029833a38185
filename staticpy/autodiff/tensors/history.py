"""The history of values: all that was done to get to them, on one tape, and the way back.

In: a tape whose arguments know where they come from. Out: one tape with all that these depend on,
in an order in which it can be done, and the way back emitted behind it. What that gives knows its
history in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from staticpy.autodiff.activity import Activity
from staticpy.autodiff.custom import CustomReverse, note_applied, visible
from staticpy.autodiff.results import as_result
from staticpy.autodiff.reverse import NOTHING
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.tensors.hooks import HookedCotangents, hooks_of
from staticpy.autodiff.tensors.tape import Source, Tape, on_the_way_back
from staticpy.ir import Block, Operation, Value
from staticpy.ops import Traced

FREED = (
    "the record of this result was freed by an earlier backward(): give that one "
    "retain_graph=True, or compute the result again"
)


class _Origin(NamedTuple):
    """Where a value was made: on ``tape``, by ``operation``, or else it is taken as it is there,
    and came from ``source``. ``key`` is the same for all that have this origin. ``reader`` and
    ``read`` are where it was read: there, its memory may be of a later version.
    """

    reader: Tape
    read: Value
    key: Value
    tape: Tape
    value: Value
    source: Source | None
    operation: Operation | None


class History:
    """All that the arguments of a tape depend on, on one tape.

    Attributes:
        tape: the copy of what was done.
        leaves: the arguments of ``tape`` that derivatives may flow to, and where they come from.
    """

    def __init__(
        self,
        target: Tape,
        within: AbstractSet[Tape] | None = None,
        ends: AbstractSet[Value] = frozenset(),
    ) -> None:
        """The history of the arguments of ``target``, as far as it is on the tapes ``within`` (None
        for all), and up to the values ``ends``.

        Raises:
            RuntimeError: one of the tapes was freed.
        """
        self.tape = Tape()
        self._target = target
        self._within, self._ends = within, ends
        self._places: dict[Value, Value] = {}
        self._renewed: dict[tuple[Value, int], Value] = {}
        self._reached: dict[Tape, None] = {}
        for argument in target.block.args:
            self._copy(self._origin(target, argument))

    @property
    def leaves(self) -> dict[Value, Source]:
        """The arguments that derivatives may flow to, and where they come from."""
        return self.tape.sources

    def targets(self) -> list[Value]:
        """The copies of the arguments that this is the history of."""
        target = self._target
        return [self._place(self._origin(target, each)) for each in target.block.args]

    def free(self) -> None:
        """Let go of all tapes that were gone through."""
        for tape in self._reached:
            tape.free()

    def _origin(self, tape: Tape, value: Value) -> _Origin:
        read = tape, value
        while value.defining_op is None:
            source = tape.sources.get(value)
            if source is None:
                return _Origin(*read, value, tape, value, None, None)
            is_open = self._within is None or source.tape in self._within
            if source.tape is None or source.value in self._ends or not is_open:
                return _Origin(*read, source.value, tape, value, source, None)
            tape, value = source.tape, source.value
            if tape.is_freed:
                raise RuntimeError(FREED)
        return _Origin(*read, value, tape, value, None, value.defining_op)

    def _place(self, origin: _Origin) -> Value:
        """The copy of a value, in the version that was read."""
        place, version = self._places[origin.key], origin.reader.version_of(origin.read)
        if self.tape.version_of(place) == version:
            return place
        key = origin.key, version
        if key not in self._renewed:
            item, memory = origin.reader.values[origin.read], origin.reader.memory_of(origin.read)
            self._renewed[key] = self.tape.renewed(place, item, memory, version)
        return self._renewed[key]

    def _copy(self, wanted: _Origin) -> None:
        """Copy a value with all that it depends on, which comes first."""
        pending = [wanted]
        while pending:
            origin = pending[-1]
            if origin.key in self._places:
                pending.pop()
            elif origin.operation is None:
                self._argument(origin)
            else:
                operands = origin.operation.operands
                origins = [self._origin(origin.tape, operand) for operand in operands]
                missing = [each for each in origins if each.key not in self._places]
                pending += missing
                if not missing:
                    self._operation(origin, list(map(self._place, origins)))

    def _argument(self, origin: _Origin) -> None:
        place = self._places[origin.key] = self.tape.block.add_arg(origin.value.type)
        self.tape.copy_value(place, origin.tape, origin.value)
        if origin.source is not None:
            self.tape.sources[place] = origin.source
            hooks = hooks_of(origin.source)
            self.tape.hooks.update({place: hooks} if hooks else {})

    def _operation(self, origin: _Origin, operands: Sequence[Value]) -> None:
        operation = origin.operation
        assert operation is not None
        self._reached[origin.tape] = None
        types = [result.type for result in operation.results]
        with self.tape.builder.at(operation.span):
            made = self.tape.builder.emit_typed(
                operation.op, operands, types, operation.attrs, operation.regions
            )
        for result, place in zip(operation.results, made.results, strict=True):
            self._places[result] = place
            self.tape.copy_value(place, origin.tape, result)
        self.tape.skip()


def pulled_back(
    tape: Tape, leaves: Sequence[Value], seeds: Iterable[tuple[Value, Value]], start: int = 0
) -> list[Value | None]:
    """The cotangents of ``leaves``, from the operations since ``start`` and the cotangents of some
    of their values; None for zero.

    Raises:
        DiagnosticError: NO_DERIVATIVE, SAVED_VALUE_CHANGED.
    """
    forward = visible(tape.block.operations[start:])
    activity = Activity(forward, leaves)
    if tape.is_shared:
        note_applied(activity)
    return back_through(tape, tape.block, forward, activity, leaves, seeds)


def back_through(
    tape: Tape,
    home: Block,
    forward: Sequence[Operation],
    activity: Activity,
    leaves: Sequence[Value],
    seeds: Iterable[tuple[Value, Value]],
) -> list[Value | None]:
    """As ``pulled_back``, through operations of the block ``home``, all of which is known on the
    tape.
    """
    reverse = CustomReverse(activity, Shadows(activity), tape.builder, home, NOTHING)
    reverse.cotangents = HookedCotangents(tape)
    with tape.builder.current():
        for value, seed in seeds:
            reverse.add(value, Traced(seed))
    with on_the_way_back(tape):
        reverse.run(forward)
    with tape.builder.current():
        found = [reverse.cotangents.take(leaf) for leaf in leaves]
        pairs = zip(found, leaves, strict=True)
        flowing = [None if item is None else as_result(item, leaf) for item, leaf in pairs]
    tape.compute_for(value for value in flowing if value is not None)
    return flowing
