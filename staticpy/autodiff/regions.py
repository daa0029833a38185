"""Reverse mode through branches and loops.

An ``if`` is pulled back by an ``if`` on the same condition; a loop by one that runs as often, from
the last round to the first. What these read of the way there its regions hand out: a branch yields
it, a round of a loop leaves it on a tape, from which the round back reads it. What nobody reads is
not saved, so a loop that needs nothing saves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.back import Back, RoundBack
from staticpy.autodiff.cotangents import added
from staticpy.autodiff.endings import flag_of, hand_on
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.peeling import Rounds, is_short
from staticpy.autodiff.scopes import always_raises, memory_around
from staticpy.autodiff.shadows import rebuild
from staticpy.autodiff.tapes import Tapes
from staticpy.autodiff.twin_reverse import TwinReverse
from staticpy.ir import (
    Block,
    Builder,
    ObjectType,
    Operation,
    TensorType,
    Value,
    rewriter,
)
from staticpy.ops import Traced


class RegionReverse(TwinReverse):
    """Reverse mode of one block, with the operations that hold regions."""

    def region_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through an operation that holds regions."""
        if operation.op is ops.if_:
            self._if(operation, given)
        elif operation.op is ops.for_:
            self._for(operation, given)
        elif operation.op is ops.while_:
            self._while(operation, given)
        elif operation.op is ops.errstate or (
            operation.op is ops.try_ and always_raises(operation)
        ):
            self._body(operation, given)
        elif operation.op is not ops.try_ or self._is_felt(operation):
            self.refuse(operation, "")

    def _is_felt(self, operation: Operation) -> bool:
        """Whether something that varies leaves a region, be it in memory from around it. Of an
        exception, what is read of it is refused.
        """
        around = [value for region in operation.regions for value in memory_around(region.block)]
        changed = [value for value in around if self.activity.changes(operation, value)]
        given = [each for each in operation.results if not isinstance(each.type, ObjectType)]
        return any(value in self.activity.varied for value in (*given, *changed))

    # --- branches ---------------------------------------------------------------------------------

    def _if(self, operation: Operation, given: list[Any]) -> None:
        sides = [Back(self, region.block) for region in operation.regions]
        for number, side in enumerate(sides):
            left = self.not_added(operation.results, given, number)
            side.pull_back(side.forward.terminator.operands, left)
        flowing = self.end_sides(sides)
        forward = self._hand_out(operation, sides)
        self.go_on(forward.operands[0], sides, flowing)

    def _body(self, operation: Operation, given: list[Any]) -> None:
        """Go back through the first region, which is the only one that goes on behind."""
        sides = [Back(self, region.block) for region in operation.regions]
        side = sides[0]
        side.pull_back(side.forward.terminator.operands, given)
        self._hand_out(operation, sides)
        block = self.builder.block
        for inner in side.block.operations:
            inner.block = block
        block.operations += side.block.operations
        for value, item in side.outer.items():
            self.put(value, item)

    def _hand_out(self, operation: Operation, sides: Sequence[Back]) -> Operation:
        """Let the regions of ``operation`` yield what is read of them on the way back."""
        handed = [(side, value) for side in sides for value in side.needed()]
        if not handed:
            return operation
        for side in sides:
            terminator = side.forward.terminator
            builder = Builder(side.forward)
            builder.before(terminator)
            more = [
                value if owner is side else builder.emit(ops.undef, [], {"type": value.type}).result
                for owner, value in handed
            ]
            rewriter.set_operands(terminator, [*terminator.operands, *more])
        made = rebuild(operation, operation.operands)
        for old, new in zip(operation.results, made.results, strict=False):
            self.activity.rename(old, new)
        for (side, value), result in zip(handed, made.results[-len(handed) :], strict=True):
            side.replace(value, result)
        return made

    # --- loops ------------------------------------------------------------------------------------

    def _for(self, operation: Operation, given: list[Any]) -> None:
        body = operation.regions[0].block
        yielded = body.terminator.operands[bool(operation.attrs["breaks"]) :]
        inits = operation.operands[3:]
        last = zip(operation.results, given, strict=True)
        rows = self._flowing(operation, body.args[1:], yielded, list(last), inits)
        loop = self._round(body, rows, {argument: argument for argument, *_ in rows}, body.args[0])
        self._run_back(loop, operation, rows)

    def _while(self, operation: Operation, given: list[Any]) -> None:
        operation = self._with_last_values(operation)
        given = [*given, *[None] * (len(operation.results) - len(given))]
        before, after = (region.block for region in operation.regions)
        forwarded = before.terminator.operands[1:]
        last: dict[Value, Any] = dict.fromkeys(before.args)
        for value, item in zip(forwarded, given, strict=True):
            if item is not None and value not in last:
                self.add(value, item)
            elif item is not None:
                last[value] = added(last[value], item)
        yielded = after.terminator.operands
        results: dict[Value, Value] = dict(zip(forwarded, operation.results, strict=True))
        ends = [(results.get(argument, argument), item) for argument, item in last.items()]
        rows = self._flowing(operation, before.args, yielded, ends, operation.operands)
        loop = self._round(after, rows, dict(zip(after.args, forwarded, strict=True)))
        self._run_back(loop, operation, rows)

    def _with_last_values(self, operation: Operation) -> Operation:
        """A ``while`` that hands on all arrays that it carries: their cotangents begin with zeros
        of the shapes that these have at the end.
        """
        before, after = (region.block for region in operation.regions)
        end = before.terminator
        more = [
            argument
            for argument in before.args
            if isinstance(argument.type, TensorType)
            and self._flows(argument)
            and argument not in end.operands[1:]
        ]
        if not more:
            return operation
        rewriter.set_operands(end, [*end.operands, *more])
        for argument in more:
            after.add_arg(argument.type)
        made = rebuild(operation, operation.operands)
        for old, new in zip(operation.results, made.results, strict=False):
            self.activity.rename(old, new)
        return made

    def _flowing(
        self, operation: Operation, arguments: Any, yielded: Any, ends: Any, inits: Any
    ) -> list[Any]:
        """Of what a loop carries the rows (argument, yielded, end, init) that can flow; an end is
        the last value, and its cotangent.
        """
        rows = zip(arguments, yielded, ends, inits, strict=True)
        flowing = [row for row in rows if self._flows(row[0])]
        if any(is_array_sometimes(row[0].type) for row in flowing):
            self.refuse(operation, ", since it carries an array on some paths only")
        return flowing

    def _flows(self, argument: Value) -> bool:
        is_varied = argument in self.activity.varied and is_differentiable(argument.type)
        return is_varied and not self.activity.is_shadowed(argument)

    def _round(
        self,
        forward: Block,
        rows: list[Any],
        sources: dict[Value, Value],
        counter: Value | None = None,
    ) -> RoundBack:
        arguments, yielded = [row[0] for row in rows], [row[1] for row in rows]
        loop = RoundBack(self, forward, counter)
        self.twins.begin_round(forward, loop.number, loop.builder)
        loop.pull_back(yielded, loop.carry(arguments, [row[2] for row in rows]))
        loop.end_round(arguments, sources)
        return loop

    def _run_back(self, loop: RoundBack, operation: Operation, rows: list[Any]) -> None:
        operation, ended = self._ended(loop, operation)
        last = ops.as_value(ops.binary("-", self._save(loop, operation, ended is not None), 1))
        if loop.counter is not None:
            loop.count(operation)
        rounds = Rounds(self.builder, loop.block, last, loop.inits)
        rounds = rounds.after(*ended) if ended is not None else rounds
        made = rounds.run(self.twins.is_first(loop.forward))
        first = {argument: init for argument, _, _, init in rows}
        results = {value: Traced(made.results[number]) for value, number in loop.results}
        for value, result in results.items():
            if value not in first:
                self.put(value, result)
        for argument, init in first.items():  # before the first round
            self.add(init, results[argument])

    def _ended(
        self, loop: RoundBack, operation: Operation
    ) -> tuple[Operation, tuple[Value, Value] | None]:
        """The loop there; and if its way back asks whether a round has ended it, whether the last
        one has, and what stands in the rounds back for that flag.
        """
        flag = flag_of(operation)
        if flag is None or not loop.reads(flag) or not is_short(loop.block):
            return operation, None
        made = hand_on(operation, flag)
        for old, new in zip(operation.results, made.results, strict=False):
            self.activity.rename(old, new)
        return made, (made.results[-1], loop.read_as_false(flag))

    def _save(self, loop: RoundBack, operation: Operation, longer: bool) -> Value:
        """Let each round leave what is read of it on a tape; the number of rounds."""
        loop.builder.span = operation.span
        tapes = Tapes(operation, loop.forward, longer=longer)
        for value in loop.needed():
            loop.read(value, tapes)
        return tapes.count()
