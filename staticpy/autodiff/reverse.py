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

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    is_differentiable,
    writes,
)
from staticpy.autodiff.boxes import add_to, content
from staticpy.autodiff.cotangents import Cotangents, conjugated
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.moves import holds_operands
from staticpy.autodiff.refusals import CHANGES_OTHERS, refusal, refusal_by, shown_view
from staticpy.autodiff.saving import is_of_shape
from staticpy.autodiff.scopes import block_of
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.views import is_new
from staticpy.diagnostics import DiagnosticError, Label
from staticpy.ir import Block, Builder, ListType, Operation, TensorType, Value
from staticpy.ops import REGISTRY, RULES, NoDerivativeError, Traced


class Around(Protocol):
    """What holds the cotangents of values from around a block."""

    def add_outer(self, value: Value, item: Any) -> None:
        """Add to one."""

    def known_outer(self, value: Value) -> Any:
        """One as far as it is known; None for zero."""

    def put_outer(self, value: Value, item: Any) -> None:
        """Replace one by what it has been added to."""


class _Nothing:
    """Around the outermost block there is nothing that is differentiated by."""

    def add_outer(self, value: Value, _item: Any) -> None:
        raise AssertionError(f"a cotangent for {value}, which is from outside")

    def known_outer(self, _value: Value) -> Any:
        return None

    put_outer = add_outer


NOTHING = _Nothing()


class Reverse:
    """Pulls cotangents back through the operations of one block.

    ``around`` holds the cotangents of values from around the block; ``recursions`` makes the
    functions of the way back; ``twins`` says which values may stand for others.
    """

    recursions: Any = None
    twins: Any = None

    def __init__(
        self, activity: Activity, shadows: Shadows, builder: Builder, home: Block, around: Around
    ) -> None:
        self.activity = activity
        self.shadows = shadows
        self.builder = builder
        self.home = home
        self.cotangents = Cotangents()
        self._around = around

    def add(self, value: Value, item: Any) -> None:
        """Add to the cotangent of a value, if anything is differentiated by way of it."""
        if value not in self.activity.varied:
            return
        if not is_differentiable(value.type):
            self.refuse(value.defining_op, ", since it is no number and no array")
        held = self.shadows.boxes.get(value)
        if held is not None or is_array_sometimes(value.type):
            held = held or self.shadows.of.get(value)
            is_stretched = self.shadows.is_stretched(value)
            if held is None or not add_to(held, item, value.type, is_stretched=is_stretched):
                self.refuse(value.defining_op, ", since it is an array on some paths only")
            return
        if self.activity.is_shadowed(value) and not self._add_to_shadow(value, item):
            self._require_unchanged(value)
        elif self.activity.is_shadowed(value):
            return
        if block_of(value) is self.home:
            self.cotangents.add(value, item)
        else:
            self._around.add_outer(value, item)

    def known(self, value: Value) -> Any:
        """The cotangent of a value so far; None for zero. What is added to it in a region begins
        with that, so that everything is added up in the order of the way back.
        """
        is_own = block_of(value) is self.home
        return self.cotangents.known(value) if is_own else self._around.known_outer(value)

    def put(self, value: Value, item: Any) -> None:
        """Replace the cotangent of a value by what it has been added to."""
        if block_of(value) is self.home:
            self.cotangents.put(value, item)
        else:
            self._around.put_outer(value, item)

    def _add_to_shadow(self, value: Value, item: Any) -> bool:
        shadow = self.shadows.of.get(value)
        is_stretched = self.shadows.is_stretched(value)
        return shadow is not None and add_to(shadow, item, value.type, is_stretched=is_stretched)

    def take_back(self, holder: Operation | Block) -> None:
        """Add what has flown to what an operation, or the end of a block, has put in."""
        for value, shadow in self.shadows.moved.get(holder, ()):
            self.add(value, content(shadow, value))

    def _require_unchanged(self, value: Value) -> None:
        """Refuse a view of memory that is written to while the view is in use, and that has no
        shadow.
        """
        writer = self.activity.writes_to(value)
        if writer is None:
            return
        block = block_of(value)
        operation = value.defining_op
        readers = {user: None for user, place in value.uses if not is_of_shape(user, place)}
        is_held = any(each.block is not block or holds_operands(each) for each in readers)
        if block is None or operation is None or is_held:
            self.refuse(writer or operation, CHANGES_OTHERS, shown_view(value))
        first = block.position(operation)
        last = max(map(block.position, readers), default=first)
        for between in block.operations[first + 1 : last]:
            is_change = between in self.shadows.changing and (between.regions or writes(between))
            if is_change and self.activity.may_write(between, value):
                self.refuse(between, CHANGES_OTHERS, shown_view(value))

    def run(self, operations: Sequence[Operation]) -> None:
        """Pull back through ``operations``, which stand in their order."""
        with self.builder.current():
            for operation in reversed(operations):
                given = [self._given(operation, result) for result in operation.results]
                is_due = any(item is not None for item in given)
                if is_due or operation in self.shadows.changing:
                    with self.builder.at(operation.span):
                        self._operation(operation, given)

    def _given(self, operation: Operation, result: Value) -> Any:
        """The cotangent of a result; of fresh memory, its shadow."""
        shadow = self.shadows.of.get(result)
        if shadow is None or operation.regions or operation.op in (ops.undef, ops.call):
            return self.cotangents.take(result)
        is_array = isinstance(shadow.type, TensorType)
        is_handed_out = operation.name in ("list.getitem", "list.pop")
        is_fresh = is_array and is_new(operation) and not is_handed_out
        return conjugated(Traced(shadow)) if is_fresh or operation.name == "list.make" else None

    def _operation(self, operation: Operation, given: list[Any]) -> None:
        if operation.regions:
            self.region_operation(operation, given)
            self.take_back(operation)
            return
        if operation.op is ops.call:
            self.call_operation(operation, given)
            return
        if self.memory_operation(operation, given):
            return
        if not any(operand in self.activity.varied for operand in operation.operands):
            return
        flowing = self.by_rule(operation, given)
        for operand, item in zip(operation.operands, flowing, strict=True):
            if item is not None:
                self.add(operand, item)

    def by_rule(self, operation: Operation, given: Sequence[Any]) -> Any:
        """The cotangents of the operands of an operation, by its rule; None for zero."""
        rule = RULES.get(operation.name)
        if rule is None or rule.vjp is None:
            self.refuse(operation, f": {rule.reason}" if rule and rule.reason else "")
        single = len(operation.results) == 1
        out = tuple(Traced(self.as_it_was(operation, result)) for result in operation.results)
        operands = [
            Traced(self.as_it_was(operation, operand), is_wanted=self._is_wanted(operand))
            for operand in operation.operands
        ]
        g = given[0] if single else tuple(given)
        try:
            return rule.vjp(g, out[0] if single else out, *operands, **operation.attrs)
        except (NoDerivativeError, DiagnosticError) as error:
            if isinstance(error, DiagnosticError) and error.span is not None:
                raise  # of a tape, which says what is wrong, and where
            raise refusal_by(operation, error) from None

    def region_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through an operation that holds regions."""
        raise AssertionError("defined by RegionReverse")

    def call_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through a call of a function that calls itself."""
        raise AssertionError("defined by CallReverse")

    def memory_operation(self, operation: Operation, given: list[Any]) -> bool:
        """Pull back through an operation on memory that has a shadow; False if it is none."""
        raise AssertionError("defined by MemoryReverse")

    def _is_wanted(self, value: Value) -> bool:
        return value in self.activity.varied and is_differentiable(value.type)

    def as_it_was(self, operation: Operation, value: Value) -> Value:
        """``value`` as ``operation`` has seen it: a copy of an array or list that may be
        written to.
        """
        is_list = isinstance(value.type, ListType) and self.activity.writes_to(value) is not None
        if not is_list and not self.activity.is_changed(value):
            return value
        builder = Builder(self.home)
        if value in operation.results:
            builder.after(operation)
        else:
            builder.before(operation)
        if is_list:
            return builder.emit(REGISTRY["list.copy"], [value]).result
        return builder.emit(ops.copy, [value], {"order": "K"}).result

    def refuse(
        self, operation: Operation | None, why: str, labels: tuple[Label, ...] = ()
    ) -> NoReturn:
        """Say that an operation has no derivative, and why."""
        raise refusal(operation, why, labels)
