"""Changes to arrays that NumPy makes before it says what is wrong with their numbers.

Before, in a ``try`` taken apart (``steps``):
    %y.1 = itruediv %y, %x
After:
    %raised, %error, %written = outcome %y, %x {change = "itruediv"}
    %y.1 = if %written {
      %0 = errstate {options = (("all", "ignore"),)} { %1 = itruediv %y, %x ... }
      ...
    %n, %e = try {handlers = ...} { if %raised { raise_value %error } ... }

So the change is made once, without an exception, and derivatives go back through it; what it raises
comes after it.
"""

from __future__ import annotations

from collections.abc import Mapping

from staticpy import ops
from staticpy.autodiff.activity import OF_FIRST
from staticpy.ir import (
    Operation,
    TensorType,
    Value,
    copy_operations,
    current_builder,
)

_QUIET = {"options": (("all", "ignore"),)}


def has_outcome(operation: Operation) -> bool:
    """Whether it can be found out on copies what becomes of a change."""
    return operation.name in OF_FIRST and isinstance(operation.operands[0].type, TensorType)


def outcome_of(change: Operation, values: Mapping[Value, Value]) -> tuple[Value, ...]:
    """Emit the question whether a change raises, what, and whether it is made."""
    operands = [values.get(each, each) for each in change.operands]
    attrs = {**change.attrs, "change": change.name}
    return tuple(current_builder().emit(ops.outcome, operands, attrs).results)


def if_written(change: Operation, is_written: Value, values: Mapping[Value, Value]) -> list[Value]:
    """Emit a change, if it is made; its results."""
    builder = current_builder()
    with builder.region() as then:
        with builder.region() as quiet:
            made = dict(values)
            copy_operations([change], builder, made)
            builder.emit(ops.region_yield, [made[each] for each in change.results])
        results = builder.emit(ops.errstate, [], _QUIET, [quiet]).results
        builder.emit(ops.region_yield, results)
    with builder.region() as orelse:
        missing = [ops.emit(ops.undef, type=each.type) for each in change.results]
        builder.emit(ops.region_yield, missing)
    return list(builder.emit(ops.if_, [is_written], {}, [then, orelse]).results)


def raise_if(condition: Value, error: Value) -> None:
    """Emit ``raise error``, where the condition holds."""
    builder = current_builder()
    with builder.region() as then:
        builder.emit(ops.raise_value, [error])
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [condition], {}, [then, orelse])
