"""Forward mode of functions with a rule of their own, and of what a checkpoint holds.

Before:
    %out = custom_forward %x {outputs = 0} (%x.1: f64) { ... }
    %y = custom_jvp %x, %out {flows = (0,), outputs = 1} (%t: f64) { ... region_yield %ty }
After: the same, and behind it a copy of what the second region holds, with the tangent of %x.
"""

from __future__ import annotations

from staticpy import ops
from staticpy.autodiff.activity import parts_of_rule
from staticpy.autodiff.custom import Flows, Record, require_recorded, rule_error
from staticpy.autodiff.forward_regions import RegionForward
from staticpy.ir import Operation, Value, copy_body
from staticpy.ops import Traced

_FOR_REVERSE_MODE = (
    "by custom_vjp is for reverse mode alone: define it by custom_jvp, which both modes go through"
)


class CustomForward(RegionForward):
    """Forward mode with rules that the program has given."""

    def region_operation(self, operation: Operation) -> None:
        """Put an operation that holds regions back, with its tangents."""
        if operation.op is ops.checkpoint:
            self.branches(operation)
        elif operation.op in ops.UNSEEN:
            self.builder.block.operations.append(operation)
        elif operation.op in ops.RULE_OPS:
            self.builder.block.operations.append(operation)
            self._apply(operation)
        else:
            super().region_operation(operation)

    def run_behind(self, operation: Operation) -> None:
        """Compute the tangents of what an operation without regions gives, as tapes hold them."""
        if operation.op in ops.RULE_OPS:
            self._apply(operation)
        else:
            super().run_behind(operation)

    def _apply(self, operation: Operation) -> None:
        """Push the tangents of the arguments by the rule of a function."""
        arguments, outputs = parts_of_rule(operation)
        if operation in self.activity.opened:
            self.put(operation, [_traced(self.tangent(output)) for output in outputs])
            return
        require_recorded(operation, self.activity)
        errors = [self.unknown[each] for each in arguments if each in self.unknown]
        if errors:
            self.forget(operation, errors[0])
        elif any(each in self.tangents for each in arguments):
            if operation.op is ops.custom_vjp:
                raise rule_error(operation, _FOR_REVERSE_MODE)
            record: Record | None = operation.attrs.get("record")
            if record is None:
                found = dict(self._copied_rule(operation))
            else:
                assert record.push is not None
                found = dict(record.push([self.held(argument) for argument in arguments]))
            self.put(operation, [found.get(number) for number in range(len(outputs))])
        for result in operation.results:
            if self.is_memory(result) and not (result in self.tangents or result in self.unknown):
                self.tangents[result] = self.fresh(result)

    def _copied_rule(self, operation: Operation) -> Flows:
        """The rule's region again, with tangents that it may write to; what it yields."""
        arguments, _ = parts_of_rule(operation)
        block, span = operation.regions[0].block, self.builder.span
        values: dict[Value, Value] = {}
        for inner, argument in zip(block.args, arguments, strict=True):
            is_written = self.activity.writes_to(inner) is not None
            values[inner] = self._copied(self.held(argument), if_=is_written)
        yielded = copy_body(block, self.builder, values, lambda each: each)
        self.builder.span = span
        flowing = zip(operation.attrs["flows"], yielded, strict=True)
        return [
            (number, Traced(self._copied(value, if_=self.is_memory(operation.results[number]))))
            for number, value in flowing
        ]

    def _copied(self, value: Value, *, if_: bool) -> Value:
        return ops.own_copy(value, self.builder) if if_ else value


def _traced(value: Value | None) -> Traced | None:
    return None if value is None else Traced(value)
