"""What transforms end with: tangents and cotangents of their own, in the place of the operation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import writes
from staticpy.autodiff.back import as_value
from staticpy.autodiff.boxes import content_of_some
from staticpy.autodiff.cotangents import conjugated
from staticpy.autodiff.reverse import Reverse
from staticpy.ir import (
    Builder,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    UnionType,
    Value,
    rewriter,
)
from staticpy.ops import REGISTRY, Traced, trace


def apart(builder: Builder, flowing: list[Value], others: Iterable[Value]) -> list[Value]:
    """Tangents or cotangents as arrays of their own, which their reader may change: a rule may
    give the one that it got, or a view. ``others`` are what somebody else may read.
    """
    taken, found = set(others), []
    for value in flowing:
        made = value.defining_op
        is_fresh = made is not None and not made.regions and not REGISTRY[made.name].view
        if isinstance(value.type, TensorType) and (not is_fresh or value in taken):
            value = builder.emit(ops.copy, [value], {"order": "K"}).result  # noqa: PLW2901
        taken.add(value)
        found.append(value)
    return found


def cotangent_of(reverse: Reverse, argument: Value) -> Value:
    """What has flown to an argument."""
    shadow = reverse.shadows.of.get(argument)
    if shadow is not None and isinstance(argument.type, UnionType):
        return content_of_some(shadow, argument)
    found = reverse.cotangents.take(argument) if shadow is None else conjugated(Traced(shadow))
    return as_result(found, argument)


_UNSIGNED = ("matmul", "scatter_add")
"""What adds up from 0.0, which gives no -0.0 (but where every term of a product is too small for
its dtype), and would take long to be gone through once more.
"""


def as_result(item: Any, argument: Value) -> Value:
    """A cotangent, None for zero, as the gradient by an argument. A zero has no sign: in the rounds
    of a graph, and in shadows, terms are added to 0.0, and on a tape to nothing.
    """
    value = as_value(item, argument)
    is_known = isinstance(value.type, PythonType | ScalarType | TensorType)
    if item is None or not is_known or _is_unsigned(value):
        return value
    return as_value(trace(ops.as_value(ops.binary("+", value, 0.0))), argument)


def _is_unsigned(value: Value) -> bool:
    """Whether a value is an array without -0.0, or a view of one, that nobody writes to."""
    made, is_written = value.defining_op, False
    while made is not None and not made.regions and not is_written:
        is_written = any(writes(user) for result in made.results for user in result.users)
        if not REGISTRY[made.name].view:
            break
        made = made.operands[0].defining_op
    if made is None or made.name not in _UNSIGNED or is_written:
        return False
    type_ = made.result.type
    return isinstance(type_, TensorType) and type_.dtype.kind == "f"


def put_in_place(operation: Operation) -> None:
    """Let the region of an operation, which yields the results, take its place."""
    region = operation.regions[0]
    primals = operation.operands[: len(region.block.args)]
    results = rewriter.inline_region(region, primals, operation)
    rewriter.replace(operation, results)
