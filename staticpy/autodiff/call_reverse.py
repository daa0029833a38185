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
from staticpy.autodiff.calls import DerivedFunctions
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.holders import refusal
from staticpy.autodiff.prepare import prepare_to_go_back
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
from staticpy.ops import REGISTRY, Traced

Tape = tuple["Pair", int]


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

    def pair(
        self,
        call: Operation,
        places: tuple[int, ...],
        held: tuple[int, ...],
        kind: type[Reverse],
    ) -> Pair:
        """The functions for a call whose arguments at ``places`` have cotangents, and those at
        ``held`` shadows, which the function there takes behind all arguments.
        """
        key = ("there", call.attrs["callee"], places, held)
        if key not in self._pairs:
            there = self._functions.begin(call, "there", key)
            back = self._functions.add(f"{call.attrs['callee']}_back", Block(), call.span)
            made = self._pairs[key] = Pair(there, back)
            self._making.append(made)
            self._open.append(made)
            self._make(made, call, places, held, kind)
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

    def _make(
        self,
        pair: Pair,
        call: Operation,
        places: Sequence[int],
        held: Sequence[int],
        kind: type[Reverse],
    ) -> None:
        forward = pair.there.block
        arguments, end = list(forward.args), forward.terminator
        sources = [arguments[place] for place in places]
        memory = [arguments[place] for place in held]
        open_tries(forward, [*sources, *memory])
        prepare_to_go_back(forward, [*sources, *memory])
        is_changed = writes(call)
        changed = [each for each in arguments if is_changed and is_mutable_memory(each.type)]
        activity = Activity(
            forward.operations[:-1], [*sources, *memory], dict.fromkeys(changed, end)
        )
        for each in memory:
            _require_no_boxes(activity, each, call)
        shadows = Shadows(activity)
        shadows.make(forward, {each: forward.add_arg(each.type) for each in memory})
        around = kind(activity, shadows, Builder(forward), forward, NOTHING)
        around.recursions = self
        side = Back(around, forward, pair.back.block)
        returned = [each for each in forward.terminator.operands if is_differentiable(each.type)]
        types = [each for each in call.attrs["result_types"] if is_differentiable(each)]
        seeds = [Traced(side.block.add_arg(type_)) for type_ in types]
        side.builder.span = call.span
        side.pull_back(returned, seeds)
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
            builder.index = 0
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


def _require_no_boxes(activity: Activity, value: Value, call: Operation) -> None:
    """Refuse what holds numbers whose shadow has boxes on one side of a call, and none on the other
    one, maybe.
    """
    if activity.is_boxed(value) and not isinstance(value.type, TensorType):
        raise refusal(call, f", since it takes {value.type}")


def _narrowed(value: Value, type_: Type) -> Value:
    if accepts(type_, value.type):
        return value
    return ops.emit(REGISTRY["any.narrow"], value, type=type_)  # type: ignore[no-any-return]


class CallReverse(RegionReverse):
    """Reverse mode of one block, with calls of functions that call themselves."""

    def call_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through a call: call the function back."""
        is_writing = writes(operation)
        held = tuple(self._held(operation)) if is_writing else ()
        places = tuple(self._varied(operation, held))
        if not places and not held:
            return
        if self.recursions is None:
            self.refuse(operation, "")
        original = list(operation.operands)
        operands = [each if is_writing else self._kept(operation, each) for each in original]
        operands += [self.shadows.of[original[place]] for place in held]
        pairs = zip(operation.results, given, strict=True)
        seeds = [as_value(item, each) for each, item in pairs if is_differentiable(each.type)]
        pair: Pair = self.recursions.pair(operation, places, held, type(self))
        is_open = self.recursions.is_open(pair)
        tapes = [] if is_open else list(self._new_tapes(operation, pair))
        rewriter.set_operands(operation, [*operands, *tapes])
        operation.attrs = {**operation.attrs, "callee": pair.there.name, "writes": True}
        types = tuple(pair.there.args[place].type for place in places)
        attrs = {"callee": pair.back.name, "result_types": types, "writes": True}
        made = self.builder.emit(ops.call, [*seeds, *tapes], attrs)
        if is_open:
            self.recursions.expect(pair, operation, made)
        for place, result in zip(places, made.results, strict=True):
            self.add(original[place], Traced(result))

    def _held(self, operation: Operation) -> Iterator[int]:
        """The places of the arguments that are memory with a shadow."""
        for place, value in enumerate(operation.operands):
            if value in self.shadows.of:
                _require_no_boxes(self.activity, value, operation)
                yield place

    def _varied(self, operation: Operation, held: Container[int]) -> Iterator[int]:
        """The places of the arguments that have cotangents, besides those whose shadows are
        ``held``.
        """
        for result in operation.results:
            if isinstance(result.type, TensorType) and self.activity.writes_to(result) is not None:
                self.refuse(operation, ", since what it gives is written to")
        for place, value in enumerate(operation.operands):
            if value not in self.activity.varied or place in held:
                continue
            if not is_differentiable(value.type):
                self.refuse(operation, f", since it takes {value.type}")
            yield place
        touched: list[Value] = [*operation.operands, *operation.results]
        for value in touched:
            if value in self.activity.varied and is_array_sometimes(value.type):
                self.refuse(operation, ", since it takes or gives an array on some paths only")

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
