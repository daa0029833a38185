"""The body of a ``try`` taken apart into steps, each of which is done as a whole or not at all.

Before:                                        After:
    %y = try {handlers = (("ValueError",),)} {     %0, %e = try ... { math.log %x ... }   # a trial
      %a = math.log %x                             %1 = py.eq %0, 0
      list.append %l, %a                           %n, %f, %y = if %1 {
      %b = math.log %z                               %a = math.log %x
      region_yield %b                                list.append %l, %a
    } (%e: object) {                                 %2, %g = try ... { math.log %z ... }
      ...                                            ...
    }                                              } {
                                                     region_yield %0, %e, undef
                                                   }

A step ends with a change to what is there already, and a trial of it tells whether it will be done:
that runs the step less the change (``probes``), and gives the number of the handler that is due, 0
for none, and the exception. A branch or loop with changes in it is a step of steps, which gives
these, too; a loop ends with the round in which one is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from staticpy import ops
from staticpy.autodiff.activity import Activity, may_be_rerun, writes, written
from staticpy.autodiff.moves import exception_of
from staticpy.autodiff.outcomes import has_outcome, if_written, outcome_of, raise_if
from staticpy.autodiff.probes import can_be_probed, is_sure, probe
from staticpy.autodiff.refusals import ENDS_HALF_WAY, refusal
from staticpy.autodiff.scopes import memory_around
from staticpy.ir import (
    INT,
    Block,
    Operation,
    Region,
    Type,
    Value,
    copy_operations,
    current_builder,
    is_mutable_memory,
    walk,
    with_inner,
)
from staticpy.ops import Effect, operation_effects

Values = dict[Value, Value]
"""What stands for the values of the body where it is taken apart."""
Attempt = Callable[[Operation, Operation], str]
"""Gives the name of a function that does what a call does, as the body of a ``try`` is done. It
takes the operands of that as well, and gives what is due before its results.
"""


class Steps:
    """Emits the body of a ``try`` to the current builder, step by step.

    Attributes:
        trials: the operations that try a step.
    """

    def __init__(self, operation: Operation, attempt: Attempt) -> None:
        self._attempt = attempt
        self.trials: list[Operation] = []
        self._try = operation
        self._body = operation.regions[0].block
        self._caught = [region.block.args[0].type for region in operation.regions[1:]]
        self._activity = Activity(self._body.operations[:-1], ())
        self._made = {value for each in with_inner(self._body.operations) for value in each.results}
        self._known: set[Value] = set()
        """What stands for the memory that was there before a step."""
        self._know(memory_around(self._body))

    def trial_of_one(self) -> list[Value] | None:
        """What a trial of the whole body gives, if that is one step; None if it is not."""
        step, change, rest = self._next(self._body.operations[:-1])
        is_apart = change is not None and self._is_apart(change)
        is_one = change is None or not (is_apart or any(map(self._may_raise, rest)))
        return self._trial(step, change, {}) if is_one else None

    def run(self) -> list[Value]:
        """Do the body: the number of the handler that is due, the exception for each handler, and
        what the body gives, where none is due.
        """
        return self._run(self._body.operations[:-1], self._body.terminator.operands, {})

    def _run(
        self, operations: Sequence[Operation], outputs: Sequence[Value], values: Values
    ) -> list[Value]:
        step, change, rest = self._next(operations)

        def go_on() -> list[Value]:
            copy_operations(step, current_builder(), values)
            self._know(value for each in with_inner(step) for value in each.results)
            if change is None:
                return [*self._nothing(), *(values.get(each, each) for each in outputs)]
            return self._change(change, lambda: self._run(rest, outputs, values), outputs, values)

        is_plain = change is not None and not self._is_apart(change)
        is_tried = is_plain and change is not None and not self._catches(change)
        tried = [*step, change] if is_tried else step
        if not any(map(self._may_raise, tried)):  # type: ignore[arg-type]
            return go_on()
        return self._unless(self._trial(step, change, values), go_on, outputs)

    def _change(
        self,
        change: Operation,
        go_on: Callable[[], list[Value]],
        outputs: Sequence[Value],
        values: Values,
    ) -> list[Value]:
        """What a step ends with, and the rest."""
        self._know(change.results)
        if self._has_outcome(change):
            return self._unless(self._by_outcome(change, values), go_on, outputs)
        if not self._is_apart(change):
            copy_operations([change], current_builder(), values)
            return go_on()
        found = self._STEPS[change.op.name](self, change, values)
        count = 1 + len(self._caught)
        values.update(zip(change.results, found[count:], strict=True))
        return self._unless(found[:count], go_on, outputs)

    # --- steps ------------------------------------------------------------------------------------

    def _next(
        self, operations: Sequence[Operation]
    ) -> tuple[Sequence[Operation], Operation | None, Sequence[Operation]]:
        """The next step, without the change that it ends with; that; and what comes after it."""
        for place, operation in enumerate(operations):
            if any(map(self._is_change, with_inner([operation]))):
                self._require_whole(operation)
                return operations[:place], operation, operations[place + 1 :]
        return operations, None, ()

    def _is_change(self, operation: Operation) -> bool:
        """Whether an operation changes what was there before the step."""
        if not writes(operation) or exception_of(operation) in self._made:
            return False
        targets = map(self._activity.home_of, written(operation))
        return not may_be_rerun(operation) or not self._known.isdisjoint(targets)

    def _require_whole(self, change: Operation) -> None:
        """Refuse a change that may end half way itself."""
        handlers = self._try.attrs["handlers"]
        is_whole = is_sure(change) or can_be_probed(change, handlers) or has_outcome(change)
        if change.op.name not in self._STEPS and (change.regions or not is_whole):
            raise refusal(change, ENDS_HALF_WAY)

    def _is_apart(self, change: Operation) -> bool:
        """Whether a change is more than to do it once its step has been tried."""
        is_step = change.op.name in self._STEPS and not self._catches(change)
        return is_step or self._has_outcome(change)

    def _catches(self, change: Operation) -> bool:
        """Whether a change is a call that gives what handlers like those of the ``try`` catch."""
        handlers = self._try.attrs["handlers"]
        is_named = all(isinstance(name, str) for names in handlers for name in names)
        return is_named and change.attrs.get("caught") == handlers

    def _has_outcome(self, change: Operation) -> bool:
        """Whether it is found out on copies what becomes of a change."""
        is_whole = is_sure(change) or can_be_probed(change, self._try.attrs["handlers"])
        return not is_whole and has_outcome(change)

    def _know(self, values: Iterable[Value]) -> None:
        memory = (value for value in values if is_mutable_memory(value.type))
        self._known.update(map(self._activity.home_of, memory))

    def _may_raise(self, operation: Operation) -> bool:
        effects = operation_effects(operation)
        return bool(effects & (Effect.RAISES | Effect.WARNS)) and not is_sure(operation)

    def _trial(
        self, step: Sequence[Operation], change: Operation | None, values: Values
    ) -> list[Value]:
        """Do a step in vain: the number of the handler that is due, and the exceptions."""
        copies = dict(values)
        is_probed = change is not None and not (
            is_sure(change) or self._is_apart(change) or self._catches(change)
        )

        def run() -> None:
            copy_operations(step, current_builder(), copies)
            if change is not None and is_probed:
                with current_builder().at(change.span):
                    probe(change, copies)

        return self._tried(run, values)

    def _by_outcome(self, change: Operation, values: Values) -> list[Value]:
        """Make a change as far as it would be made, then see what it raises."""
        with current_builder().at(change.span):
            raised, error, written = outcome_of(change, values)
            values.update(zip(change.results, if_written(change, written, values), strict=True))
            return self._tried(lambda: raise_if(raised, error), values)

    def _tried(self, run: Callable[[], None], values: Values) -> list[Value]:
        """The number of the handler that is due when ``run`` is done, and the exceptions."""
        builder = current_builder()
        with builder.region() as body:
            run()
            builder.emit(ops.region_yield, self._nothing())
        regions = [body]
        for number, type_ in enumerate(self._caught, 1):
            with builder.region([type_]) as region:
                found = self._nothing()
                found[0], found[number] = ops.as_value(number), region.block.args[0]
                builder.emit(ops.region_yield, found)
            regions.append(region)
        with builder.at(self._try.span):
            operands = [values.get(each, each) for each in self._try.operands]
            made = builder.emit(ops.try_, operands, self._try.attrs, regions)
        self.trials.append(made)
        return list(made.results)

    def _nothing(self) -> list[Value]:
        """No handler is due."""
        return [ops.as_value(0), *map(_undef, self._caught)]

    def _unless(
        self, found: Sequence[Value], go_on: Callable[[], list[Value]], outputs: Sequence[Value]
    ) -> list[Value]:
        """Go on where no handler is due."""
        builder = current_builder()
        with builder.region() as then:
            builder.emit(ops.region_yield, go_on())
        with builder.region() as orelse:
            builder.emit(ops.region_yield, [*found, *(_undef(each.type) for each in outputs)])
        return list(builder.emit(ops.if_, [_is_none(found[0])], {}, [then, orelse]).results)

    # --- steps of steps ---------------------------------------------------------------------------

    def _branches(self, operation: Operation, values: Values) -> list[Value]:
        builder, regions = current_builder(), []
        for region in operation.regions:
            with builder.region() as made:
                end = region.block.terminator.operands
                found = self._run(region.block.operations[:-1], end, values)
                builder.emit(ops.region_yield, found)
            regions.append(made)
        operands = [values.get(each, each) for each in operation.operands]
        return list(builder.emit(operation.op, operands, operation.attrs, regions).results)

    def _for(self, operation: Operation, values: Values) -> list[Value]:
        body, count = operation.regions[0].block, 1 + len(self._caught)
        start, stop, step, *inits = (values.get(each, each) for each in operation.operands)
        loop, found = self._round(body, body.args[:1], body.args[1:], values)
        builder = current_builder()
        with builder.inside(loop):
            due, carried = found[:count], found[count:]
            ends = carried.pop(0) if operation.attrs["breaks"] else ops.as_value(False)
            builder.emit(ops.region_yield, [_if_none(due[0], ends, True), *due, *carried])
        operands = [start, stop, step, *self._nothing(), *inits]
        made = builder.emit(ops.for_, operands, {"breaks": True}, [Region(loop)])
        return list(made.results)

    def _while(self, operation: Operation, values: Values) -> list[Value]:
        """Of a loop that tests a flag, which is not set where a handler is due."""
        before, after = (region.block for region in operation.regions)
        arguments: list[Value] = list(before.args)
        flag, *handed = map(arguments.index, before.terminator.operands)
        count, nothing = 1 + len(self._caught), self._nothing()
        builder = current_builder()
        test = Block([each.type for each in (*nothing, *before.args)])
        with builder.inside(test):
            given = test.args[count:]
            more = [given[place] for place in handed]
            builder.emit(ops.region_yield, [given[flag], *test.args[:count], *more])
        loop, found = self._round(after, [], after.args, values)
        with builder.inside(loop):
            found[count + flag] = _if_none(found[0], found[count + flag], False)
            builder.emit(ops.region_yield, found)
        operands = [*nothing, *(values.get(each, each) for each in operation.operands)]
        regions = [Region(test), Region(loop)]
        return list(builder.emit(ops.while_, operands, operation.attrs, regions).results)

    def _round(
        self, body: Block, first: Sequence[Value], carried: Sequence[Value], values: Values
    ) -> tuple[Block, list[Value]]:
        """A round of a loop that carries what is due, too; and what it gives."""
        due = [INT, *self._caught]
        loop = Block([each.type for each in first])
        values.update(zip(first, loop.args, strict=True))
        for type_ in due:
            loop.add_arg(type_)
        values.update((each, loop.add_arg(each.type)) for each in carried)
        self._know(carried)
        with current_builder().inside(loop):
            return loop, self._run(body.operations[:-1], body.terminator.operands, values)

    def _call(self, operation: Operation, values: Values) -> list[Value]:
        due, boxed = [INT, *self._caught], operation.attrs.get("boxed", ((), ()))
        operands = [values.get(each, each) for each in (*operation.operands, *self._try.operands)]
        attrs = {
            "callee": self._attempt(operation, self._try),
            "result_types": (*due, *operation.attrs["result_types"]),
            "writes": True,
            "caught": self._try.attrs["handlers"],
            "boxed": (boxed[0], (*(False for _ in due), *boxed[1]) if boxed[1] else ()),
        }
        with current_builder().at(operation.span):
            return list(current_builder().emit(ops.call, operands, attrs).results)

    _STEPS = {  # noqa: RUF012 - methods, by the op that they are for
        "if": _branches,
        "errstate": _branches,
        "for": _for,
        "while": _while,
        "call": _call,
    }


def changes_around(operation: Operation) -> bool:
    """Whether an operation with regions changes what is around it."""
    own = {value for each in with_inner([operation]) for value in each.results}
    around = {value for region in operation.regions for value in memory_around(region.block)}
    activity = Activity([operation], ())
    homes = set(map(activity.home_of, around))
    return any(
        not may_be_rerun(each) or not homes.isdisjoint(map(activity.home_of, written(each)))
        for region in operation.regions
        for each in walk(region.block)
        if writes(each) and exception_of(each) not in own
    )


def _undef(type_: Type) -> Value:
    return ops.emit(ops.undef, type=type_)  # type: ignore[no-any-return]


def _is_none(number: Value) -> Value:
    return ops.as_value(ops.compare("==", number, ops.as_value(0)))


def _if_none(number: Value, flag: Value, otherwise: bool) -> Value:
    """A flag, where no handler is due."""
    builder = current_builder()
    with builder.region() as then:
        builder.emit(ops.region_yield, [flag])
    with builder.region() as orelse:
        builder.emit(ops.region_yield, [ops.as_value(otherwise)])
    return builder.emit(ops.if_, [_is_none(number)], {}, [then, orelse]).result
