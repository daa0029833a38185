"""Twins: values that may be one value at run time, under two names.

    %g = for ..., %x (%i: int, %guess: float) {      # in the first round %guess is %x
      %0 = divide %x, %guess
      ...
    %y = if %c { region_yield %x } { ... }           # where %c holds, %y is %x

A tape knows values, not names: what flows to one is added up as it comes. For a graph to add in the
same order, what flows to a name is added at once to the value that it stands for, where it stands
for one whose cotangent is not complete by then. Which names these are is found here; where nothing
else flows to that value meanwhile, or two terms are all there are, any order gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.scopes import block_of, is_in, reached
from staticpy.ir import (
    Block,
    BlockArgument,
    Builder,
    Operation,
    Value,
    walk,
    with_inner,
)
from staticpy.ops import for_, if_, while_

_LOOPS = (for_, while_)


@dataclass(frozen=True)
class Twin:
    """What a value stands for: the first of ``sides`` where the condition of ``operation`` holds,
    else the second; None for itself.

    The condition of an ``if`` is its own; that of an argument of a loop holds in the first round,
    and that of a result of a loop where no round has been run.
    """

    operation: Operation
    sides: tuple[Value | None, Value | None]

    def sources(self) -> list[Value]:
        """What the value may stand for."""
        return [each for each in self.sides if each is not None]


class Twins:
    """The twins in the operations of a block, before the way back is emitted."""

    def __init__(self, activity: Activity, home: Block) -> None:
        self._activity = activity
        has_regions = any(each.op in (if_, *_LOOPS) for each in activity.visible)
        operations = list(walk(home)) if has_regions else []
        self._places = {each: number for number, each in enumerate(operations)}
        self._links: dict[Value, Twin] = {}
        for operation in operations:
            if operation.op is if_:
                self._of_branches(operation)
            elif operation.op in _LOOPS:
                self._of_loop(_Loop(operation))
        self._near: dict[Value, set[Value]] = {}
        for value, twin in self._links.items():
            for source in twin.sources():
                self._near.setdefault(value, set()).add(source)
                self._near.setdefault(source, set()).add(value)
        needed = ((value, self._needed(value, twin)) for value, twin in self._links.items())
        self._found = {value: twin for value, twin in needed if twin.sources()}

        self._conditions: dict[Operation | Block, Value] = {}

    def of(self, value: Value) -> Twin | None:
        """What ``value`` stands for; None for itself alone."""
        return self._found.get(value)

    def condition(self, value: Value) -> Value:
        """What decides what a twin stands for."""
        operation = self._found[value].operation
        if operation.op is if_:
            return operation.operands[0]
        if isinstance(value, BlockArgument):
            return self._conditions[value.block]
        if operation not in self._conditions:
            self._conditions[operation] = _has_no_round(operation)
        return self._conditions[operation]

    def begin_round(self, block: Block, number: Value, builder: Builder) -> None:
        """Note what tells, on the way back through a round, that it is the first one."""
        twins = map(self.of, block.args)
        if any(twin is not None and twin.sides[0] is not twin.sides[1] for twin in twins):
            with builder.current():
                self._conditions[block] = ops.as_value(ops.compare("==", number, 0))

    def is_first(self, block: Block) -> Value | None:
        """What tells that a round back is that of the first round, if anything asks."""
        condition = self._conditions.get(block)
        return condition if condition is not None and condition.uses else None

    def stands_aside(self, value: Value) -> bool:
        """Whether a value always stands for another one."""
        twin = self._found.get(value)
        return twin is not None and twin.sides[0] is twin.sides[1]

    # --- links ------------------------------------------------------------------------------------

    def _link(
        self, operation: Operation, value: Value, then: Value | None, orelse: Value | None
    ) -> None:
        if self._flows(value):
            sides = [each if each and self._flows(each) else None for each in (then, orelse)]
            if any(sides):
                self._links[value] = Twin(operation, (sides[0], sides[1]))

    def _flows(self, value: Value) -> bool:
        is_number = is_differentiable(value.type) and not is_array_sometimes(value.type)
        is_varied = value in self._activity.varied
        return is_number and is_varied and not self._activity.is_shadowed(value)

    def _of_branches(self, operation: Operation) -> None:
        sides = [region.block for region in operation.regions]
        for number, result in enumerate(operation.results):
            sources = [
                _source(side, side.terminator.operands, number, operation.results) for side in sides
            ]
            self._link(operation, result, sources[0], sources[1])

    def _of_loop(self, loop: _Loop) -> None:
        kinds = self._kinds(loop)
        for number, (own, argument) in enumerate(zip(loop.own, loop.own_from, strict=True)):
            later = _first(loop.own, loop.own_from, kinds, argument)
            place = loop.arguments.get(argument)
            ends = [(loop.results[number], loop.results), (own, loop.own)]
            for value, others in ends:
                first = others[later]
                if first is not value:
                    self._link(loop.operation, value, first, first)
                elif place is None and loop.is_around(argument):
                    self._link(loop.operation, value, argument, argument)
                elif place is not None and (value is own or loop.operation.op is for_):
                    after = self._yielded(loop, kinds, place, others)
                    self._link(loop.operation, value, loop.inits[place], after)

    def _kinds(self, loop: _Loop) -> dict[Value, object]:
        """For each argument what is the same for all that always are one value: those that begin as
        one, or as what nothing flows to, and go on as one.
        """
        begun = {
            argument: init if init in self._activity.varied else None
            for argument, init in zip(loop.arguments, loop.inits, strict=True)
        }
        kinds: dict[Value, object] = {**begun}
        count = 0
        while count != len(set(kinds.values())):
            count = len(set(kinds.values()))
            pairs = zip(loop.arguments, loop.yields, strict=True)
            kinds = {
                argument: (kinds[argument], kinds.get(loop.source(value), value), argument.type)
                for argument, value in pairs
            }
            numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds.values()))}
            kinds = {argument: numbers[kind] for argument, kind in kinds.items()}
        return kinds

    def _yielded(
        self, loop: _Loop, kinds: dict[Value, object], place: int, others: Sequence[Value]
    ) -> Value | None:
        """What the value of an argument is after the first round, as far as it has another name."""
        value = loop.yields[place]
        if loop.is_around(value):
            return value
        ends = [kinds.get(loop.source(each), each) for each in loop.yields]
        before = (number for number in range(place) if ends[number] == ends[place])
        for number in before:
            argument = list(loop.arguments)[number]
            if argument in loop.own_from:
                return others[_first(loop.own, loop.own_from, kinds, argument)]
        return None

    # --- which of them count ----------------------------------------------------------------------

    def _needed(self, value: Value, twin: Twin) -> Twin:
        def needed(source: Value | None) -> Value | None:
            return source if source and self._counts(value, source, twin.operation) else None

        return Twin(twin.operation, (needed(twin.sides[0]), needed(twin.sides[1])))

    def _counts(self, value: Value, source: Value, operation: Operation) -> bool:
        """Whether the order counts in which what flows to a value and to its source is added."""
        below = reached([value], self._below)
        is_argument = isinstance(value, BlockArgument)
        around = _loops_around(operation)
        shut: set[Value] = {result for each in around for result in each.results}
        if is_argument:
            shut.update(operation.results)
        elif operation.op in _LOOPS:
            shut.update(_Loop(operation).own)
        above = reached([source], lambda near: self._near[near] - below - shut) - below
        inner = [*around, operation] if is_argument else around
        start = self._places[operation]
        start += 0 if is_argument else sum(1 for _ in with_inner([operation])) - 1
        own = sum(self._weight(each, use) for each in below for use in self._uses(each))
        others = sum(
            self._weight(each, use)
            for each in above
            for use in self._uses(each)
            if self._is_after(each, use, start, inner)
        )
        others += any(loop not in _loops_of(source) for loop in around)
        return bool(own and others) and own + others > 2

    def _below(self, value: Value) -> set[Value]:
        return {
            each
            for each in self._near[value]
            if each in self._links and value in self._links[each].sources()
        }

    def _uses(self, value: Value) -> Iterator[Operation]:
        """What reads a value, once for each time that something flows from there."""
        for reader, _ in value.uses:
            around = reader.parent if reader.op.is_terminator else None
            is_carried = around is not None and around in _loops_of(value)
            is_handed_on = around is not None or reader.op in (if_, *_LOOPS)
            if is_carried or (not is_handed_on and self._is_felt(reader)):
                yield reader

    def _is_felt(self, reader: Operation) -> bool:
        is_known = reader in self._places and bool(reader.results)
        return not is_known or any(each in self._activity.varied for each in reader.results)

    def _weight(self, value: Value, reader: Operation) -> int:
        return 1 + any(loop not in _loops_of(value) for loop in _loops_around(reader))

    def _is_after(
        self, value: Value, reader: Operation, start: int, inner: Sequence[Operation]
    ) -> bool:
        """Whether something flows to a value from ``reader`` before it does from ``start``."""
        if self._places.get(reader, start + 1) > start:
            return True
        shared = [loop for loop in _loops_around(reader) if loop in inner]
        return any(loop not in _loops_of(value) for loop in shared)


class _Loop:
    """A loop.

    ``arguments`` are what it carries, ``inits`` and ``yields`` what these begin as and go on as;
    ``own`` are the names of its values in a round, ``results`` those behind it, and ``own_from``
    what each of these is: an argument, or a value from around the loop.
    """

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        first, last = operation.regions[0].block, operation.regions[-1].block
        self.results: list[Value] = list(operation.results)
        if operation.op is for_:
            carried = first.args[1:]
            self.inits = operation.operands[3:]
            self.yields = last.terminator.operands[bool(operation.attrs["breaks"]) :]
            self.own: list[Value] = list(carried)
            self.own_from: list[Value] = list(carried)
        else:
            carried = first.args
            self.inits, self.yields = operation.operands, last.terminator.operands
            self.own = list(last.args)
            self.own_from = list(first.terminator.operands[1:])
        self.arguments: dict[Value, int] = {each: place for place, each in enumerate(carried)}
        self._source: dict[Value, Value] = dict(zip(self.own, self.own_from, strict=True))

    def source(self, value: Value) -> Value:
        """What a value of a round is at its begin."""
        return self._source.get(value, value)

    def is_around(self, value: Value) -> bool:
        """Whether a value is from around the loop."""
        blocks = [region.block for region in self.operation.regions]
        return not any(is_in(value, block) for block in blocks)


def _has_no_round(loop: Operation) -> Value:
    """Whether a ``for`` runs through an empty range; to be read behind it."""
    assert loop.block is not None
    builder = Builder(loop.block)
    builder.after(loop)
    start, stop, step = loop.operands[:3]
    known = ops.constant_range(loop)
    with builder.current():
        if known is not None:
            return ops.as_value(not known)
        left = ops.binary("*", ops.binary("-", stop, start), step)
        return ops.as_value(ops.compare("<=", left, 0))


def _first(
    own: Sequence[Value], own_from: Sequence[Value], kinds: dict[Value, object], source: Value
) -> int:
    """The number of the first value that always is the same as one from ``source``."""
    kind = kinds.get(source, source)
    return next(n for n, each in enumerate(own_from) if kinds.get(each, each) == kind)


def _source(
    block: Block, yielded: Sequence[Value], number: int, results: Sequence[Value]
) -> Value | None:
    """Under which other name what a side of a branch yields is known: one from around it, or an
    earlier result.
    """
    value = yielded[number]
    if not is_in(value, block):
        return value
    first = list(yielded).index(value)
    return results[first] if first < number else None


def _loops_around(operation: Operation) -> list[Operation]:
    found, current = [], operation.parent
    while current is not None:
        if current.op in _LOOPS:
            found.append(current)
        current = current.parent
    return found


def _loops_of(value: Value) -> list[Operation]:
    """The loops in which a value is defined."""
    block = block_of(value)
    parent = block.parent if block is not None else None
    if parent is None:
        return []
    return [*([parent] if parent.op in _LOOPS else []), *_loops_around(parent)]
