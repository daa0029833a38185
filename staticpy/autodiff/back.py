"""The regions of the way back: one for each region that the way there went through.

In: a block of the way there. Out: a block that pulls cotangents back through it, what it reads of
the way there, and the cotangents of what the block there took from around itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.cotangents import added, as_cotangent, with_sizes, zero
from staticpy.autodiff.reverse import Reverse
from staticpy.autodiff.saving import Saving
from staticpy.autodiff.tapes import Tapes
from staticpy.ir import INT, Block, Builder, Operation, Value, walk
from staticpy.ops import Traced, untrace


def as_value(item: Any, like: Value) -> Value:
    """A cotangent, None for zero, as a Value for what it belongs to."""
    if item is None:
        return zero(like)
    return with_sizes(ops.as_value(untrace(as_cotangent(item, like.type))), like.type)


class Back:
    """The way back through one block; ``outer`` are the cotangents of values around it."""

    def __init__(self, around: Reverse, forward: Block, block: Block | None = None) -> None:
        self.forward = forward
        self.block = block or Block()
        self.builder = Builder(self.block, around.builder.facts)
        self.builder.span = around.builder.span
        self.outer: dict[Value, Any] = {}
        self.around = around
        self.reverse = type(around)(around.activity, around.shadows, self.builder, forward, self)
        self.reverse.recursions = around.recursions
        self.reverse.twins = around.twins

    def add_outer(self, value: Value, item: Any) -> None:
        """Add to the cotangent of a value from around the block."""
        self.outer[value] = added(self.known_outer(value), as_cotangent(item, value.type))

    def known_outer(self, value: Value) -> Any:
        """The cotangent of a value from around the block, as far as it is known here."""
        return self.outer[value] if value in self.outer else self.around.known(value)

    def put_outer(self, value: Value, item: Any) -> None:
        """Replace the cotangent of a value from around the block."""
        self.outer[value] = item

    def pull_back(self, yielded: Sequence[Value], given: Sequence[Any]) -> None:
        """Emit the way back from the cotangents of what the block yields."""
        with self.builder.current():
            for value, item in zip(yielded, given, strict=True):
                if item is not None:
                    self.reverse.add(value, item)
            self.reverse.take_back(self.forward)
        self.reverse.run(self.forward.operations[:-1])

    def needed(self) -> list[Value]:
        """What the way back reads of the block, but for what costs no more to make again."""
        return self._saving().needed()

    def replace(self, value: Value, new: Value) -> None:
        """Let the way back read ``new`` for ``value``."""
        self._saving().replace(value, new)

    def _saving(self, counter: Value | None = None) -> Saving:
        activity = self.around.activity
        return Saving(self.forward, self.block, activity.is_changed, counter)

    def end(self, values: Sequence[Value]) -> None:
        """End the block."""
        self.builder.emit(ops.region_yield, values)

    def end_with_outer(self, values: Sequence[Value]) -> None:
        """End the block with the cotangents of values around it."""
        with self.builder.current():
            self.end([as_value(self.known_outer(value), value) for value in values])


class RoundBack(Back):
    """The way back through one round of a loop.

    The block gets the number of the round, then the cotangents of what is carried, then those of
    values around the loop, which add up from round to round. ``counter`` is the index of the loop
    in the block there, if it has one. ``results`` says, for each of these
    values, the number of the loop's result that is its cotangent.
    """

    def __init__(self, around: Reverse, forward: Block, counter: Value | None) -> None:
        super().__init__(around, forward)
        self.counter = counter
        self.number = self.block.add_arg(INT)
        self.inits: list[Value] = []
        self.results: list[tuple[Value, int]] = []

    def needed(self) -> list[Value]:
        """What a round back reads of the round there."""
        return self._saving(self.counter).needed()

    def known_outer(self, value: Value) -> Any:
        """What the rounds so far have given."""
        if value not in self.outer:
            self.outer[value] = Traced(self.block.add_arg(value.type))
        return self.outer[value]

    def carry(self, arguments: Sequence[Value], ends: Sequence[tuple[Value, Any]]) -> list[Any]:
        """Carry the cotangents of ``arguments``, which begin as those of what they end with."""
        with self.around.builder.current():
            self.inits = [as_value(item, last) for last, item in ends]
        return [Traced(self.block.add_arg(argument.type)) for argument in arguments]

    def end_round(self, arguments: Sequence[Value], sources: Mapping[Value, Value]) -> None:
        """End the block; ``sources`` is where the arguments of the forward block come from:
        carried ``arguments``, or values around the loop.
        """
        following: dict[Value, Any] = dict.fromkeys(arguments)
        own_of = {source: own for own, source in sources.items()}
        with self.builder.current():
            for own, source in sources.items():
                item = self.reverse.cotangents.take(own)
                if item is None:
                    continue
                if source in following:
                    following[source] = added(following[source], item)
                else:
                    self.reverse.add(source, item)
            carried = [as_value(item, own_of.get(each, each)) for each, item in following.items()]
            self.end([*carried, *(as_value(item, each) for each, item in self.outer.items())])
        with self.around.builder.current():
            self.inits += [as_value(self.around.known(value), value) for value in self.outer]
        self.results = [(value, number) for number, value in enumerate([*arguments, *self.outer])]

    def read(self, value: Value, tapes: Tapes) -> None:
        """Let the round back read a value from a tape."""
        tape = tapes.add(value)
        self.builder.index = 0
        self.replace(value, tapes.read(tape, self.number, self.builder))
        self.builder.index = None

    def reads(self, value: Value) -> bool:
        """Whether the round back reads a value of the round there."""
        return any(value in operation.operands for operation in walk(self.block))

    def read_as_false(self, flag: Value) -> Value:
        """Let the round back read False for a flag of the round there."""
        self.builder.index = 0
        made = self.builder.emit(ops.constant, [], {"value": False}).result
        self.builder.index = None
        self.replace(flag, made)
        return made

    def count(self, loop: Operation) -> None:
        """Let the round read its index from the ``for`` that it belongs to."""
        self.builder.index = 0
        with self.builder.current():
            start, _, step = loop.operands[:3]
            made = ops.binary("+", ops.binary("*", self.number, step), start)
        self.builder.index = None
        assert self.counter is not None
        self.replace(self.counter, ops.as_value(made))
