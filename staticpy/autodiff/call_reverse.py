"""Reverse mode of functions that call themselves.

    %t = list.make {type = !list[float]}               # a tape for each value that is saved
    %y = call %x, %n, %t {callee = "f_there"}
    ...
    %gx = call %gy, %t {callee = "f_back"}

The function there is the function itself; where it ends, it leaves on each tape what the way back
reads of it. The function back begins by taking that from the tapes, and goes back through the
rest, calls of itself included. All calls of a recursion share the tapes: the way back makes them
in the opposite order, so that each finds its own values on top.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable, writes
from staticpy.autodiff.back import Back, as_value
from staticpy.autodiff.boxes import content, holds_numbers
from staticpy.autodiff.calls import DerivedFunctions, written_around
from staticpy.autodiff.cotangents import conjugated
from staticpy.autodiff.prepare import prepare_to_go_back
from staticpy.autodiff.refusals import CHANGES_OTHERS, refusal
from staticpy.autodiff.regions import RegionReverse
from staticpy.autodiff.results import cotangent_of
from staticpy.autodiff.reverse import NOTHING, Reverse
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.tries import open_tries
from staticpy.ir import (
    Block,
    Builder,
    Function,
    ListType,
    Operation,
    TensorType,
    Type,
    Value,
    accepts,
    is_mutable_memory,
    rewriter,
)
from staticpy.ops import REGISTRY, Traced, untrace

Tape = tuple["Pair", int]


@dataclass(frozen=True)
class Passed:
    """What goes into a function and comes out of it besides values.

    ``places`` are the arguments that have cotangents, ``begun`` those of them whose cotangents the
    function back takes as they are by then, and adds to; ``held`` are those that have shadows,
    which the function there takes behind all arguments, and whether these have boxes;
    ``given_back`` are the results of which it gives shadows behind all results. ``is_written`` says
    whether somebody may write to the memory of arguments or results; ``stretched`` are arguments
    whose shadows may have an element in several places.
    """

    places: tuple[int, ...]
    begun: tuple[int, ...]
    held: tuple[tuple[int, bool], ...]
    given_back: tuple[tuple[int, bool], ...]
    is_written: bool
    stretched: tuple[int, ...]


@dataclass(eq=False)
class Pair:
    """A function there and back; ``tapes`` are its arguments for each tape, in their order."""

    there: Function
    back: Function
    types: list[Type] = field(default_factory=list)
    tapes: dict[Tape, tuple[Value, Value]] = field(default_factory=dict)

    def take(self, tape: Tape, type_: Type) -> tuple[Value, Value]:
        """The arguments there and back for a tape."""
        if tape not in self.tapes:
            self.tapes[tape] = self.there.block.add_arg(type_), self.back.block.add_arg(type_)
        return self.tapes[tape]


class Recursions:
    """Makes the functions there and back of those that are called.

    While a function is made, those that it calls are, and they may call it in turn. Which tapes
    all of these need is known when the first is done: then each gets all of them.
    """

    def __init__(self, functions: DerivedFunctions) -> None:
        self._functions = functions
        self._pairs: dict[object, Pair] = {}
        self._making: list[Pair] = []
        self._open: list[Pair] = []
        self._calls: list[tuple[Pair, Pair, Operation, int]] = []

    def pair(self, call: Operation, passed: Passed, kind: type[Reverse]) -> Pair:
        """The functions for a call, and what is passed in it."""
        key = ("there", call.attrs["callee"], passed)
        if key not in self._pairs:
            there = self._functions.begin(call, "there", key)
            back = self._functions.add(f"{call.attrs['callee']}_back", Block(), call.span)
            made = self._pairs[key] = Pair(there, back)
            self._making.append(made)
            self._open.append(made)
            self._make(made, call, passed, kind)
            self._making.pop()
            if not self._making:
                self._close()
        return self._pairs[key]

    def is_open(self, pair: Pair) -> bool:
        """Whether the tapes of functions are not known yet."""
        return pair in self._open

    def expect(self, pair: Pair, there: Operation, back: Operation) -> None:
        """Give two calls in the function that is made the tapes, as soon as they are known."""
        self._calls += [
            (self._making[-1], pair, there, 0),
            (self._making[-1], pair, back, 1),
        ]

    def _make(self, pair: Pair, call: Operation, passed: Passed, kind: type[Reverse]) -> None:
        forward = pair.there.block
        sources = [forward.args[place] for place in passed.places]
        memory: dict[Value, bool] = {
            forward.args[place]: is_boxed for place, is_boxed in passed.held
        }
        open_tries(forward, [*sources, *memory], self._functions)
        prepare_to_go_back(forward, [*sources, *memory])
        count = len(forward.terminator.operands)
        shadows, activity = _with_shadows(call, forward, passed, sources, memory)
        around = kind(activity, shadows, Builder(forward), forward, NOTHING)
        around.recursions = self
        side = Back(around, forward, pair.back.block)
        types = call.attrs["result_types"]
        places = _differentiable(types[:count], dict(passed.given_back))
        seeds = [Traced(side.block.add_arg(types[place])) for place in places]
        side.builder.span = call.span
        for place in passed.begun:
            argument = forward.args[place]
            assert isinstance(side.reverse, CallReverse)
            side.reverse.begin_with(argument, Traced(side.block.add_arg(argument.type)))
        returned = forward.terminator.operands
        side.pull_back([returned[place] for place in places], seeds)
        with side.builder.current(), side.builder.at(call.span):
            flowing = [_narrowed(cotangent_of(side.reverse, each), each.type) for each in sources]
        side.builder.emit(ops.return_, flowing)
        self._save(pair, side)

    def _save(self, pair: Pair, side: Back) -> None:
        """Let the function there leave what is read of it on tapes of its own."""
        end = side.forward.terminator
        for number, value in enumerate(side.needed()):
            there, back = pair.take((pair, number), ListType(value.type))
            pair.types.append(there.type)
            builder = Builder(side.forward)
            builder.before(end)
            builder.emit(REGISTRY["list.append"], [there, value])
            builder = Builder(side.block)
            builder.index, builder.span = 0, side.builder.span
            with builder.current():
                last = ops.as_value(-1)
            side.replace(value, builder.emit(REGISTRY["list.pop"], [back, last]).result)

    def _close(self) -> None:
        tapes = [
            ((pair, number), type_)
            for pair in self._open
            for number, type_ in enumerate(pair.types)
        ]
        for pair in self._open:
            for tape, type_ in tapes:
                pair.take(tape, type_)
        for where, called, operation, way in self._calls:
            held = [where.tapes[tape][way] for tape in called.tapes]
            rewriter.set_operands(operation, [*operation.operands, *held])
        for pair in self._open:
            rewriter.refresh_uses(pair.there)
            rewriter.refresh_uses(pair.back)
        self._open, self._calls = [], []


def _with_shadows(
    call: Operation,
    forward: Block,
    passed: Passed,
    sources: Sequence[Value],
    memory: dict[Value, bool],
) -> tuple[Shadows, Activity]:
    """Give what a function works on its shadows: that of ``memory`` comes in, and that of what is
    given back goes out.
    """
    returned = forward.terminator.operands
    given_back = {returned[place]: is_boxed for place, is_boxed in passed.given_back}
    held = {**memory, **given_back}
    shared = {value: each for value, each in held.items() if not isinstance(value.type, TensorType)}
    activity = Activity(
        forward.operations[:-1],
        [*sources, *held],
        written_around(forward, passed.is_written),
        shared,
    )
    for value, is_boxed in shared.items():
        if activity.is_boxed(value) and not is_boxed:
            raise refusal(call, f", since it takes or gives {value.type}")
    shadows = Shadows(activity)
    shadows.stretched += (forward.args[place] for place in passed.stretched)
    shadows.make(forward, {each: forward.add_arg(shadows.form(each)) for each in memory})
    shadows.give_back(forward, [place for place, _ in passed.given_back])
    return shadows, activity


def _differentiable(types: Sequence[Type], others: Container[int]) -> list[int]:
    """The places of values that have cotangents, but for ``others``, which have shadows."""
    places = enumerate(types)
    return [place for place, each in places if is_differentiable(each) and place not in others]


def _narrowed(value: Value, type_: Type) -> Value:
    if accepts(type_, value.type):
        return value
    return ops.emit(REGISTRY["any.narrow"], value, type=type_)  # type: ignore[no-any-return]


class CallReverse(RegionReverse):
    """Reverse mode of one block, with calls of functions that call themselves."""

    def call_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through a call: call the function back."""
        passed = self._passed(operation)
        if not (passed.places or passed.held or passed.given_back):
            return
        if self.recursions is None:
            self.refuse(operation, "")
        original = list(operation.operands)
        operands = [x if passed.is_written else self._kept(operation, x) for x in original]
        operands += [self.shadows.of[original[place]] for place, _ in passed.held]
        types = [each.type for each in operation.results]
        count = len(types) - len(passed.given_back)
        flowing = _differentiable(types[:count], dict(passed.given_back))
        seeds = [as_value(given[place], operation.results[place]) for place in flowing]
        begun = self._begun(passed, original)
        seeds += [as_value(begun.get(place), original[place]) for place in passed.begun]
        pair: Pair = self.recursions.pair(operation, passed, type(self))
        is_open = self.recursions.is_open(pair)
        tapes = [] if is_open else list(self._new_tapes(operation, pair))
        rewriter.set_operands(operation, [*operands, *tapes])
        operation.attrs = {**operation.attrs, "callee": pair.there.name, "writes": True}
        wanted = tuple(pair.there.args[place].type for place in passed.places)
        attrs = {"callee": pair.back.name, "result_types": wanted, "writes": True}
        made = self.builder.emit(ops.call, [*seeds, *tapes], attrs)
        if is_open:
            self.recursions.expect(pair, operation, made)
        results = dict(zip(passed.places, made.results, strict=True))
        for place in begun:
            self.put_sum(original[place], Traced(results.pop(place)))
        for place, result in results.items():
            self.add(original[place], Traced(result))

    def _begun(self, passed: Passed, original: Sequence[Value]) -> dict[int, Any]:
        """The cotangents so far of arguments that are added to in the function back."""
        places = {original[place]: place for place in passed.begun}
        known = {
            place: self._sum(value)
            for value, place in places.items()
            if self.twins.of(value) is None and value not in self.shadows.boxes
        }
        return {place: item for place, item in known.items() if item is not None}

    def _sum(self, value: Value) -> Any:
        """The cotangent of a value so far, be it in a shadow; None for zero."""
        shadow = self._array_beside(value)
        return self.known(value) if shadow is None else content(shadow, value)

    def put_sum(self, value: Value, item: Any) -> None:
        """Replace the cotangent of a value by what it has been added to, be it in a shadow."""
        shadow = self._array_beside(value)
        if shadow is None:
            self.put(value, item)
        else:
            self.builder.emit(REGISTRY["copyto"], [shadow, ops.as_value(untrace(conjugated(item)))])

    def _array_beside(self, value: Value) -> Value | None:
        """The shadow of an array, if it has one."""
        return self.shadows.of.get(value) if isinstance(value.type, TensorType) else None

    def begin_with(self, value: Value, item: Any) -> None:
        """Let the cotangent of a value begin with ``item``."""
        with self.builder.current():
            self.put_sum(value, item)

    def _passed(self, operation: Operation) -> Passed:
        given_back = [
            (place, self._has_boxes(operation.results[place]))
            for place in self.shadows.given_back.get(operation, ())
        ]
        known = [
            (place, value)
            for place, value in enumerate(operation.operands)
            if value in self.shadows.of
        ]
        containers = [value for _, value in known if not isinstance(value.type, TensorType)]
        is_written = writes(operation) or bool(given_back)
        is_written |= any(self.activity.writes_to(value) is not None for value in containers)
        held = [
            (place, self._has_boxes(value))
            for place, value in known
            if is_written or value in containers
        ]
        if is_written:
            self._require_shadows(operation)
        stretched = [place for place, value in known if self.shadows.is_stretched(value)]
        places = tuple(self._varied(operation, dict(held)))
        begun = tuple(place for place in operation.attrs.get("begun", ()) if place in places)
        return Passed(places, begun, tuple(held), tuple(given_back), is_written, tuple(stretched))

    def _require_shadows(self, operation: Operation) -> None:
        """Refuse a function that writes, given a view without a shadow of what is written to."""
        for value in operation.operands:
            is_view = isinstance(value.type, TensorType) and value in self.activity.varied
            if is_view and value not in self.shadows.of and self.activity.writes_to(value):
                self.refuse(operation, CHANGES_OTHERS)

    def _has_boxes(self, value: Value) -> bool:
        """Whether a container has a shadow with boxes."""
        return not isinstance(value.type, TensorType) and self.activity.is_boxed(value)

    def _varied(self, operation: Operation, held: Container[int]) -> Iterator[int]:
        """The places of the arguments that have cotangents, besides those whose shadows are
        ``held``.
        """
        for place, value in enumerate(operation.operands):
            is_varied = value in self.activity.varied and holds_numbers(value.type)
            if not is_varied or place in held:
                continue
            if not is_differentiable(value.type):
                self.refuse(operation, f", since it takes {value.type}")
            yield place

    def _kept(self, operation: Operation, value: Value) -> Value:
        """An argument as it was, since the way back reads it."""
        found = self.as_it_was(operation, value)
        is_plain = found is not value or not is_mutable_memory(value.type)
        if not is_plain and self.activity.writes_to(value) is not None:
            self.refuse(operation, ", since what it takes is written to")
        return found

    def _new_tapes(self, operation: Operation, pair: Pair) -> Iterator[Value]:
        builder = Builder(self.home)
        builder.before(operation)
        for there, _ in pair.tapes.values():
            yield builder.emit(REGISTRY["list.make"], [], {"type": there.type}).result
