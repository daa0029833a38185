"""What is stretched, and summed back, as other operations say it: these take part in loops.

Before:
    %0 = broadcast_to %s, %n {shape = (none,)} : f64[n]
    %1 = multiply %0, %x : f64[n]
    %2 = sum_to %1, %s : f64
After (with what nobody reads dropped by ``dce``):
    %0, %1 = broadcast %s, %x : f64[n], f64[n]
    %2 = multiply %0, %1 : f64[n]
    %3 = sum %2 : f64

In: an operation. Out: what takes its place, if anything. Ways back are full of both.
"""

from __future__ import annotations

from staticpy.ir import UNKNOWN, Operation, TensorType, Value, builder_before, dims_of
from staticpy.ops import REGISTRY, OpDef, broadcast

_SUM = REGISTRY["sum"]
_BROADCAST_TO = REGISTRY["broadcast_to"]
STRETCHING = ("add", "subtract", "multiply", "true_divide", "maximum", "minimum")
"""The operations of which an operand is often stretched."""


def sum_over_axes(operation: Operation) -> Value | None:
    """The sum that a ``sum_to`` is, where it is known which axes the other shape lacks. Axes that
    it has as 1 are summed only where they are longer, and stay.
    """
    stretched = operation.operands[0].type
    result = operation.result.type
    dims, kept = dims_of(stretched), dims_of(result)
    new = len(dims) - len(kept)
    if not isinstance(stretched, TensorType) or new == 0:
        return None
    if dims[new:] != kept or UNKNOWN in kept:
        return None
    attrs: dict[str, object] = {"axis": tuple(range(new))} if kept else {}
    if _SUM.infer(stretched, **attrs) != result:
        return None
    return builder_before(operation).emit(_SUM, operation.operands[:1], attrs).result


def operation_that_stretches(operation: Operation) -> Value | None:
    """An elementwise operation of which NumPy stretches the operand itself that ``broadcast_to``
    has stretched to the shape of the other one.
    """
    op, result = operation.op, operation.result.type
    sources = [_source(value) for value in operation.operands]
    if len(sources) != 2 or not isinstance(op, OpDef) or UNKNOWN in dims_of(result):
        return None
    if (sources[0] is None) == (sources[1] is None) or not isinstance(result, TensorType):
        return None
    pairs = zip(sources, operation.operands, strict=True)
    operands = [operand if source is None else source for source, operand in pairs]
    if not _is_whole(operands[sources.index(None)], result):
        return None
    builder = builder_before(operation)
    made = builder.emit(broadcast, operands)
    if [each.type for each in made.results] != [value.type for value in operation.operands]:
        return None
    return builder.emit(op, made.results, operation.attrs).result


def _is_whole(value: Value, type_: TensorType) -> bool:
    """Whether an operand has the shape of ``type_`` without being stretched to it."""
    made = value.defining_op
    if made is not None and made.op is broadcast:
        value = made.operands[made.results.index(value)]
    return dims_of(value.type) == type_.dims


def _source(value: Value) -> Value | None:
    """What ``broadcast_to`` stretches to make a value."""
    made = value.defining_op
    return made.operands[0] if made is not None and made.op is _BROADCAST_TO else None
