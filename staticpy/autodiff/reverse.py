"""Reverse mode: cotangents pulled back through a block.

In: a block, and the cotangents of values in it. Out: operations behind those of the block, or in a
region of their own, that compute the cotangents of what it is differentiated by:

    %h = tanh %x : f64[n]                    %h = tanh %x : f64[n]
    %s = sum %h : f64                        %s = sum %h : f64
                                             %0 = broadcast_to %seed ... : f64[n]
                                             %1 = multiply %h, %h : f64[n]
                                             ...

Each operation, from the last to the first, hands the cotangents of its results to its rule. What
the rule reads of the forward pass is used where it is; regions hand out what is read of them, and
loops save it (``regions``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable
from staticpy.autodiff.cotangents import Cotangents
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Block, BlockArgument, Builder, Operation, OpResult, Value
from staticpy.ops import RULES, trace

Add = Callable[[Value, Any], None]


def block_of(value: Value) -> Block | None:
    """The block in which a value is defined."""
    if isinstance(value, BlockArgument):
        return value.block
    assert isinstance(value, OpResult)
    return value.owner.block


class Reverse:
    """Pulls cotangents back through the operations of one block.

    ``outside`` is handed what flows to values from around the block.
    """

    def __init__(self, activity: Activity, builder: Builder, home: Block, outside: Add) -> None:
        self.activity = activity
        self.builder = builder
        self.home = home
        self.cotangents = Cotangents()
        self._outside = outside

    def add(self, value: Value, item: Any) -> None:
        """Add to the cotangent of a value, if anything is differentiated by way of it."""
        if value not in self.activity.varied or not is_differentiable(value.type):
            return
        writer = self.activity.is_written(value)
        if writer is not None:
            self.refuse(writer, ", since it writes to what others read")
        if block_of(value) is self.home:
            self.cotangents.add(value, item)
        else:
            self._outside(value, item)

    def run(self, operations: Sequence[Operation]) -> None:
        """Pull back through ``operations``, which stand in their order."""
        with self.builder.current():
            for operation in reversed(operations):
                given = [self.cotangents.take(result) for result in operation.results]
                if any(item is not None for item in given):
                    with self.builder.at(operation.span):
                        self._operation(operation, given)

    def _operation(self, operation: Operation, given: list[Any]) -> None:
        if operation.regions:
            self.region_operation(operation, given)
            return
        if not any(operand in self.activity.varied for operand in operation.operands):
            return
        rule = RULES.get(operation.name)
        if rule is None or rule.vjp is None:
            self.refuse(operation, f": {rule.reason}" if rule and rule.reason else "")
        single = len(operation.results) == 1
        out = trace(self._as_it_was(operation, operation.results))
        operands = trace(self._as_it_was(operation, operation.operands))
        g = given[0] if single else tuple(given)
        flowing = rule.vjp(g, out[0] if single else out, *operands, **operation.attrs)
        for operand, item in zip(operation.operands, flowing, strict=True):
            if item is not None:
                self.add(operand, item)

    def region_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through an operation that holds regions."""
        raise AssertionError("defined by RegionReverse")

    def _as_it_was(self, operation: Operation, values: Sequence[Value]) -> tuple[Value, ...]:
        """``values`` as ``operation`` has seen them: copies of memory that is written to."""
        return tuple(self._copied(operation, value) for value in values)

    def _copied(self, operation: Operation, value: Value) -> Value:
        if self.activity.is_written(value) is None:
            return value
        builder = Builder(self.home)
        assert operation.block is not None
        builder.before(operation)
        if value in operation.results:
            assert builder.index is not None
            builder.index += 1
        return builder.emit(ops.copy, [value], {"order": "K"}).result

    def refuse(self, operation: Operation, why: str) -> NoReturn:
        """Say that an operation has no derivative, and why."""
        name = operation.name
        raise DiagnosticError(catalog.NO_DERIVATIVE, operation.span, name=name, why=why)
