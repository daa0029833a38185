"""The one dispatch: an op given arrays computes, given Values it emits."""

from __future__ import annotations

from typing import Any

from staticpy.ir import Value, attribute_key, current_builder
from staticpy.ops.control import constant, is_constant
from staticpy.ops.opdef import OpDef


def apply(op: OpDef, *operands: Any, **attrs: Any) -> Any:
    """Apply ``op`` to operands that already have the types its rule asks for.

    Given Values, among which compile-time scalars may stand, it emits to the current Builder and
    returns the result Value (a tuple where there is not exactly one); given arrays and scalars
    alone, it runs the kernel.

    Raises:
        DiagnosticError: the type rule refuses the operands.
        RuntimeError: there are Values, but no Builder is current.
    """
    if not any(isinstance(operand, Value) for operand in operands):
        assert op.kernel is not None, f"{op.name} runs in a graph only"
        return op.kernel(*operands, **attrs)
    return emit(op, *operands, **attrs)


def emit(op: OpDef, *operands: Any, **attrs: Any) -> Any:
    """Emit ``op`` to the current Builder; as ``apply``, also where no operand is a Value."""
    values = [as_value(operand) for operand in operands]
    operation = current_builder().emit(op, values, attrs)
    return operation.result if len(operation.results) == 1 else operation.results


def as_value(operand: Any) -> Value:
    """``operand`` itself, or a constant of the graph for a compile-time scalar, None or str."""
    if isinstance(operand, Value):
        return operand
    assert is_constant(operand), operand
    key = attribute_key(operand)
    return current_builder().emit_shared(constant, {"value": operand}, key).result
