"""``np.select`` of arrays in steps, which loops can do together with what is computed of them.

Before:
    %1 = numpy.call %c, %d, %x, %y, %z {function = "select"} : f64[?]
After:
    %1 = zeros {unset = true} : f64[n]
    %2 = where %d, %y, %z : f64[n]
    %3 = where %c, %x, %2 : f64[n]
    store %1, %3 {spec = (ellipsis)}

In: a module. Out: it, or a copy. It is done where all conditions have the same sizes, the choices
have these, too, or are numbers, and the result is one of floats, which lies in C order. NumPy, too,
begins with the last of them, and computes all choices. No pass of the pipeline: it is for backends
that make loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy import ops
from staticpy.ir import (
    UNKNOWN,
    Module,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Value,
    builder_before,
    dims_of,
    rewriter,
)
from staticpy.passes.outline import with_replaced

_KNOWN = {"function", "nesting", "results"}


def with_selections_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    """Whether it is one whose steps give the same."""
    parts = _parts(operation)
    if parts is None:
        return False
    conditions, choices = parts
    (type_,) = operation.attrs["results"]
    dims = dims_of(conditions[0].type)
    if not dims or UNKNOWN in dims or type_.dtype.char not in "fd":
        return False
    are_masks = all(
        isinstance(each.type, TensorType) and each.type.dtype.kind == "b" for each in conditions
    )
    return (
        are_masks
        and all(dims_of(each.type) == dims for each in conditions)
        and all(_is_number(each) or dims_of(each.type) == dims for each in choices)
    )


def _is_number(value: Value) -> bool:
    type_ = value.type
    if isinstance(type_, PythonType):
        return type_.kind in ("int", "float")
    return isinstance(type_, ScalarType) and type_.dtype.kind in "biuf"


def _parts(operation: Operation) -> tuple[list[Value], list[Value]] | None:
    """The conditions; the choices, and what is taken where no condition holds, if that is said."""
    attrs = operation.attrs
    if attrs.get("function") != "select" or set(attrs) - _KNOWN or "nesting" not in attrs:
        return None
    sizes = [len(each[1]) if isinstance(each, tuple) else None for each in attrs["nesting"]]
    if len(sizes) < 2 or sizes[0] is None or sizes[0] != sizes[1] or sizes[2:] not in ([], [None]):
        return None
    return operation.operands[: sizes[0]], operation.operands[sizes[0] :]


def _replace(operation: Operation) -> None:
    parts = _parts(operation)
    assert parts is not None
    conditions, choices = parts
    (type_,) = operation.attrs["results"]
    builder = builder_before(operation)
    with builder.current():
        made = ops.as_value(ops.FUNCTIONS[np.empty](ops.shape_of(conditions[0]), type_.dtype))
        found: Any = choices[-1] if len(choices) > len(conditions) else 0
        pairs = list(zip(conditions, choices, strict=False))
        for condition, choice in reversed(pairs):
            found = ops.FUNCTIONS[np.where](condition, choice, found)
        ops.setitem(made, ..., found)
    rewriter.replace(operation, [made])
