"""Derivatives that a program gives itself, in graphs.

Before, in what is differentiated by %x:
    %out, %r = custom_forward %x {outputs = 0} (%x.1: f64) { ... }
    %y = custom_vjp %x, %out {flows = (0,), outputs = 1} (%g: f64) { ... region_yield %gx }
After: what the first region holds, with %out for %y; and, on the way back, a copy of what the
second one holds, with the cotangent of %y for %g. A derivative around this one goes through both as
through anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    parts_of_rule,
    writes,
    writes_to_holder,
    written,
)
from staticpy.autodiff.back import as_value
from staticpy.autodiff.call_reverse import CallReverse
from staticpy.autodiff.cotangents import conjugated, zero
from staticpy.autodiff.scopes import memory_around
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    Block,
    Operation,
    Region,
    TensorType,
    Value,
    copy_body,
    rewriter,
    walk,
)
from staticpy.ops import Traced, custom_rules, print_

Flows = list[tuple[int, Any]]
"""What flows to arguments or outputs, by their number."""
Rule = Callable[[list[Value]], Flows]
"""A rule in plain Python: from cotangents of outputs to those of arguments, or from tangents of
arguments to those of outputs."""


_OF_ANOTHER_TAPE = (
    "was called where a transform differentiates, by something else; backward() doesn't know it: "
    "call it outside of the transform, or pass to that what it is to be differentiated by"
)


@dataclass(eq=False, slots=True)
class Record:
    """What a tape knows of a call of a function with a rule of its own: the operations of the way
    there, the rule, and whether it has been applied. Then derivatives go through the operations.
    """

    forward: list[Operation]
    pull_back: Rule
    push: Rule | None = None
    is_applied: bool = False


class CustomReverse(CallReverse):
    """Reverse mode with rules that the program has given."""

    def _given(self, operation: Operation, result: Value) -> Any:
        shadow = self.shadows.of.get(result)
        if shadow is not None and (operation.op in ops.RULE_OPS or operation.op is ops.checkpoint):
            return conjugated(Traced(shadow))
        return super()._given(operation, result)

    def _operation(self, operation: Operation, given: list[Any]) -> None:
        if operation.op in ops.RULE_OPS:
            self._apply(operation, given)
        else:
            super()._operation(operation, given)

    def _apply(self, operation: Operation, given: list[Any]) -> None:
        """Pull back by the rule of a function."""
        arguments, outputs = parts_of_rule(operation)
        if operation in self.activity.opened:
            for output, item in zip(outputs, given, strict=True):
                if item is not None:
                    self.add(output, item)
            return
        require_recorded(operation, self.activity)
        cotangents = [as_value(item, each) for item, each in zip(given, outputs, strict=True)]
        for number, item in self._flowing_by_rule(operation, cotangents):
            self.add(arguments[number], item)

    def _flowing_by_rule(
        self, operation: Operation, cotangents: list[Value]
    ) -> Iterable[tuple[int, Any]]:
        record: Record | None = operation.attrs.get("record")
        if record is not None:
            return record.pull_back(cotangents)
        if operation.op is ops.custom_jvp:
            return self._transposed_rule(operation, cotangents)
        return self._copied_rule(operation, cotangents)

    def _copied_rule(
        self, operation: Operation, cotangents: list[Value]
    ) -> Iterable[tuple[int, Any]]:
        """The rule's region again, on the way back."""
        block = operation.regions[0].block
        values = self.read_by(operation)
        for argument, cotangent in zip(block.args, cotangents, strict=True):
            is_written = self.activity.writes_to(argument) is not None
            own = ops.own_copy(cotangent, self.builder) if is_written else cotangent
            values[argument] = own
        yielded = self.copy_of(block, values)
        return zip(operation.attrs["flows"], map(Traced, yielded), strict=True)

    def _transposed_rule(
        self, operation: Operation, cotangents: list[Value]
    ) -> Iterable[tuple[int, Any]]:
        """The cotangents of the arguments, by a ``vjp`` of the rule, which is linear: it is taken
        where the tangents are zero.
        """
        block, flows = operation.regions[0].block, operation.attrs["flows"]
        arguments, outputs = parts_of_rule(operation)
        values = self.read_by(operation)
        zeros = [zero(argument) for argument in arguments]
        region = Region(Block([value.type for value in block.args]))
        values.update(zip(block.args, region.block.args, strict=True))
        with self.builder.inside(region.block):
            found = zip(flows, self.copy_of(block, values), strict=True)
            tangents = [as_value(Traced(tangent), outputs[number]) for number, tangent in found]
            self.builder.emit(ops.region_yield, tangents)
        operands = [*zeros, *(cotangents[number] for number in flows)]
        made = self.builder.emit(ops.vjp, operands, {"outputs": len(flows)}, [region])
        return enumerate(map(Traced, made.results[len(flows) :]))

    def read_by(self, operation: Operation) -> dict[Value, Value]:
        """The memory that the region of an operation reads, as it was there."""
        found: dict[Value, Value] = {}
        for value in memory_around(operation.regions[0].block):
            found[value] = self.as_it_was(operation, value)
            if found[value] is value and self._is_written_around(value):
                raise rule_error(operation, "needs memory that is written to after it was read")
        return found

    def _is_written_around(self, value: Value) -> bool:
        """Whether memory is written to elsewhere than where a function with a rule made it. What is
        put into a list, dict or object does not change the arrays in it.
        """
        home, is_array = self.activity.home_of(value), isinstance(value.type, TensorType)
        changing = (
            each
            for each in self.activity.visible
            if writes(each) and not (is_array and writes_to_holder(each))
        )
        return any(home is self.activity.home_of(x) for each in changing for x in written(each))

    def copy_of(self, block: Block, values: dict[Value, Value]) -> list[Value]:
        """The operations of a block again, where the way back stands; what they yield."""
        span = self.builder.span
        yielded = copy_body(block, self.builder, values, lambda each: each)
        self.builder.span = span
        return yielded


# --- what a rule may do ---------------------------------------------------------------------------


def require_pure_rules(activity: Activity) -> None:
    """Refuse functions with rules of their own that get round them: through memory."""
    for operation in activity.visible:
        if operation.op is ops.custom_forward:
            _require_no_writes(operation, activity)
            _require_arguments_alone(operation, activity)
        elif operation.op is ops.no_gradient:
            _require_no_flow(operation, activity)
        elif operation.op in ops.RULE_OPS and operation.regions:
            _require_no_writes(operation, activity)
            inside = [_inside(output) for output in parts_of_rule(operation)[1]]
            require_own_memory(operation, inside, _forward_of(operation), activity)


def _require_no_writes(operation: Operation, activity: Activity) -> None:
    block = operation.regions[0].block
    outer = [*operation.operands, *memory_around(block)]
    for inner in walk(block):
        if inner.op is print_ and operation.op in ops.RULE_OPS:
            raise rule_error(inner, "prints: what it is called for, only the way back knows")
        if not writes(inner) or inner.op is print_:
            continue
        for value in written(inner):
            if any(activity.may_share(value, other) for other in outer):
                raise rule_error(inner, "writes to memory from around it")


def _require_no_flow(operation: Operation, activity: Activity) -> None:
    """Refuse that ``with no_grad()`` writes to memory that derivatives flow through."""
    for inner in walk(operation.regions[0].block):
        targets = written(inner) if writes(inner) else ()
        if any(activity.home_of(value) in activity.varied for value in targets):
            raise rule_error(inner, "would be gone round: with no_grad() writes to what has one")


def require_own_memory(
    operation: Operation, yielded: Sequence[Value], block: Block, activity: Activity
) -> None:
    """Refuse results that are memory of something else, where that is written to; ``yielded`` is
    what the results are in ``block``.
    """
    inner = Activity(block.operations[:-1], ())
    others = [*block.args, *memory_around(block)]
    for number, result in enumerate(operation.results):
        if activity.writes_to(result) is None:
            continue
        following = (*others, *yielded[:number], *yielded[number + 1 :])
        if any(inner.may_share(yielded[number], other) for other in following):
            raise rule_error(operation, "gives memory of something else, which is written to")


def _forward_of(operation: Operation) -> Block:
    """The block of the way there of a function with a rule."""
    for output in parts_of_rule(operation)[1]:
        made = output.defining_op
        if made is not None and made.op is ops.custom_forward:
            return made.regions[0].block
    return Block()


def _require_arguments_alone(operation: Operation, activity: Activity) -> None:
    """Refuse outputs that depend on what is differentiated by in other ways than by arguments."""
    block = operation.regions[0].block
    own = {*block.args, *(made for each in walk(block) for made in each.results)}
    inner = Activity(block.operations[:-1], activity.varied - own)
    seen = set(activity.visible)  # which a rule, that reads residuals, is no part of
    for result, value in zip(operation.results, block.terminator.operands, strict=True):
        is_varied = value in inner.varied and ops.is_inexact(value.type)
        if is_varied and any(user in seen for user in result.users):
            raise rule_error(operation, custom_rules.DEPENDS_ON_OTHERS)


def require_recorded(operation: Operation, activity: Activity) -> None:
    """Refuse an operation of a tape whose outputs depend on what is differentiated by in other ways
    than by arguments, or may.
    """
    record: Record | None = operation.attrs.get("record")
    if record is not None and any(x.block is not operation.block for x in record.forward):
        raise rule_error(operation, _OF_ANOTHER_TAPE)
    if record is not None:
        _require_recorded_apart(operation, activity)


def _require_recorded_apart(operation: Operation, activity: Activity) -> None:
    arguments, outputs = parts_of_rule(operation)
    forward = operation.attrs["record"].forward
    inner = Activity(forward, activity.varied.difference(arguments))
    if any(value in inner.varied for value in outputs):
        raise rule_error(operation, custom_rules.DEPENDS_ON_OTHERS)


def _inside(output: Value) -> Value:
    """What a result of ``custom_forward`` is in its region."""
    made = output.defining_op
    if made is None or made.op is not ops.custom_forward:
        return output
    return made.regions[0].block.terminator.operands[made.results.index(output)]


def rule_error(operation: Operation, why: str) -> DiagnosticError:
    """What is wrong with a rule."""
    error = custom_rules.error(why)
    error.span = operation.span
    return error


# --- what stays -----------------------------------------------------------------------------------


def open_rules(activity: Activity) -> None:
    """Put what they stand for in the place of functions with rules that have been applied: those
    of which an argument was differentiated by.
    """
    for operation in activity.visible:
        if any(value in activity.varied for value in _arguments_of(operation)):
            _open(operation)


def _arguments_of(operation: Operation) -> list[Value]:
    if operation.op is ops.custom_forward:
        return operation.operands
    return parts_of_rule(operation)[0] if operation.op in ops.RULE_OPS else []


def lift_barriers(block: Block) -> None:
    """Remove what says something of derivatives alone, once they all have been taken."""
    for operation in reversed(list(walk(block))):  # the inner ones first
        _open(operation)


def _open(operation: Operation) -> None:
    if operation.op in (*ops.UNSEEN, ops.checkpoint):
        region = operation.regions[0]
        rewriter.replace(operation, rewriter.inline_region(region, operation.operands, operation))
    elif operation.op in ops.RULE_OPS:
        rewriter.replace(operation, parts_of_rule(operation)[1])
    elif operation.op in (ops.stop_gradient, ops.checkpoint_name):
        rewriter.replace(operation, operation.operands)


def visible(operations: Iterable[Operation]) -> list[Operation]:
    """The operations of a tape but those of functions whose rules have yet to be applied."""
    operations = list(operations)
    records = [each.attrs["record"] for each in operations if each.op in ops.RULE_OPS]
    hidden = {inner for each in records if not each.is_applied for inner in each.forward}
    return [each for each in operations if each not in hidden]


def note_applied(activity: Activity) -> None:
    """Let further derivatives go through functions on a tape whose rules this one applies.

    Raises:
        DiagnosticError: CUSTOM_RULE, this one would get round a rule.
    """
    for operation in activity.visible:
        if operation.op in ops.RULE_OPS and operation not in activity.opened:
            _require_recorded_apart(operation, activity)
            is_due = any(value in activity.varied for value in parts_of_rule(operation)[0])
            operation.attrs["record"].is_applied |= is_due
