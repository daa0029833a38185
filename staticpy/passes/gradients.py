"""``np.gradient`` in steps, which loops can do.

Before:
    %1 = numpy.call %x {function = "gradient"} : f64[n]
After:
    %2 = dim %x {axis = 0} : int
    %3 = py.ge %2, 2 : bool
    %1 = if %3 {
      %4 = zeros_like %x {unset = true} : f64[n]
      ...                                               %4[1:-1] = (%x[2:] - %x[:-2]) / 2.0
      ...                                               %4[0] = (%x[1] - %x[0]) / 1.0
      region_yield %4
    } else {
      %5 = numpy.call %x {function = "gradient"} : f64[n]     which raises
      region_yield %5
    }

In: a module. Out: it, or a copy. It is done for arrays of floats whose neighbours are one number
apart, along any axes. The steps are NumPy's own. No pass of the pipeline: it is for backends that
make loops, behind derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.ir import (
    Block,
    Builder,
    Module,
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    Value,
    builder_before,
    rewriter,
)
from staticpy.ops import REGISTRY
from staticpy.passes.outline import with_replaced

_CALL = REGISTRY["numpy.call"]
_KNOWN = {"function", "results", "axis"}
_LEAST = 2
"""How many elements an axis must have."""


def with_gradients_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    """Whether it is one of floats, with one number between all neighbours or none said."""
    if operation.attrs.get("function") != "gradient" or set(operation.attrs) - _KNOWN:
        return False
    x, *step = operation.operands
    if not isinstance(x.type, TensorType) or x.type.dtype.char not in "fd" or not x.type.rank:
        return False
    axes = _axes(operation)
    are_axes = len(set(axes)) == len(axes) > 0 and all(0 <= each < x.type.rank for each in axes)
    has_room = all(not isinstance(dim, int) or dim >= _LEAST for dim in x.type.dims)
    return are_axes and has_room and len(step) <= 1 and all(map(_is_number, step))


def _is_number(value: Value) -> bool:
    type_ = value.type
    if isinstance(type_, PythonType):
        return type_.kind in ("int", "float")
    return isinstance(type_, ScalarType) and type_.dtype.kind == "f"


def _axes(operation: Operation) -> tuple[int, ...]:
    """The axes along which there is a result each."""
    rank = operation.operands[0].type.rank  # type: ignore[attr-defined]
    axis = operation.attrs.get("axis")
    if axis is None:
        return tuple(range(rank))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return tuple(each + rank if each < 0 else each for each in axes)


def _replace(operation: Operation) -> None:
    x, *step = operation.operands
    axes = _axes(operation)
    builder = builder_before(operation)
    with builder.current():
        sizes = [size for size in map(ops.shape_of(x).__getitem__, axes) if isinstance(size, Value)]
        if not sizes:
            rewriter.replace(operation, [_along(x, axis, step) for axis in axes])
            return
        conditions = [ops.compare(">=", size, _LEAST) for size in sizes]
        is_long = reduce(lambda one, other: ops.binary("&", one, other), conditions)
        regions = [_steps(builder, x, axes, step), _call(builder, operation)]
        found = builder.emit(ops.if_, [ops.as_value(is_long)], {}, regions).results
    rewriter.replace(operation, found)


def _steps(builder: Builder, x: Value, axes: Sequence[int], step: Sequence[Value]) -> Region:
    block = Block()
    with builder.inside(block):
        builder.emit(ops.region_yield, [_along(x, axis, step) for axis in axes])
    return Region(block)


def _call(builder: Builder, operation: Operation) -> Region:
    """The call, whose results are as large as the array."""
    attrs = {**operation.attrs, "results": (operation.operands[0].type,) * len(operation.results)}
    block = Block()
    with builder.inside(block):
        builder.emit(ops.region_yield, builder.emit(_CALL, operation.operands, attrs).results)
    return Region(block)


def _along(x: Value, axis: int, step: Sequence[Value]) -> Value:
    """The differences along one axis."""
    before = (slice(None),) * axis
    between: Any = step[0] if step else 1.0
    made = ops.as_value(ops.FUNCTIONS[np.empty_like](x))

    def difference(last: Any, first: Any) -> Any:
        ends = (ops.getitem(x, (*before, place)) for place in (last, first))
        return ops.binary("-", *ends)

    inside = difference(slice(2, None), slice(None, -2))
    twice = ops.binary("*", 2.0, between)
    ops.setitem(made, (*before, slice(1, -1)), ops.binary("/", inside, twice))
    for place, last, first in ((0, 1, 0), (-1, -1, -2)):
        edge = ops.binary("/", difference(last, first), between)
        ops.setitem(made, (*before, place), edge)
    return made
