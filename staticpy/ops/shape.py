"""Shapes: reading sizes, and ops that rearrange an array without looking at its elements.

In: an array or NumPy scalar. Out: an array with other axes, mostly a view of the operand. A size
that is known while compiling is a plain int; else it is a Value made by ``dim``, whose symbol the
types remember.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    UNKNOWN,
    Dim,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
)
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    fill_shape,
    is_int_type,
    shape_dims,
)
from staticpy.ops.nested import sizes, strong_dtype
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import fits

# --- sizes ----------------------------------------------------------------------------------------


def _infer_dim(operand: Type, *, axis: int) -> Type:
    if not 0 <= axis < len(dims_of(operand)):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"{operand} has no axis {axis}")
    return INT


dim = defop(
    "dim",
    infer=_infer_dim,
    kernel=lambda x, *, axis: x.shape[axis],
    samples=lambda rng: [((rng.random((2, 3)),), {"axis": 1})],
)
"""``dim {axis = 0}``: the size of an axis, a Python int."""


def dim_value(value: Value, axis: int) -> int | Value:
    """The size of one axis: an int where the type knows it."""
    known = sizes(value)[axis]
    return known if isinstance(known, int) else emit(dim, value, axis=axis)


def shape_of(value: Value) -> tuple[int | Value, ...]:
    """``x.shape``."""
    return tuple(dim_value(value, axis) for axis in range(len(dims_of(value.type))))


# --- reshape --------------------------------------------------------------------------------------


def _cancel(source: Sequence[Dim], target: Sequence[Dim]) -> Dim:
    """The size that ``-1`` stands for among the other sizes of ``target``, where it is known."""
    left = list(source)
    divisor = 1
    for size in target:
        if isinstance(size, int):
            divisor *= size
        elif size in left and size != UNKNOWN:
            left.remove(size)
        else:
            return UNKNOWN
    number = prod(size for size in left if isinstance(size, int))
    symbols = [size for size in left if not isinstance(size, int)]
    if not symbols:
        return number // divisor if divisor and number % divisor == 0 else UNKNOWN
    only = len(symbols) == 1 and symbols[0] != UNKNOWN and number == divisor > 0
    return symbols[0] if only else UNKNOWN


def _reshaped(
    source: tuple[Dim, ...], shape: tuple[int | None, ...], type_: Type | None
) -> tuple[Dim, ...]:
    dims = shape_dims(shape, type_)
    if -1 not in shape:
        return dims
    at = shape.index(-1)
    rest = (*dims[:at], *dims[at + 1 :])
    return (*dims[:at], _cancel(source, rest), *dims[at + 1 :])


def _size(dims: Sequence[Dim]) -> int | None:
    numbers = [size for size in dims if isinstance(size, int)]
    return prod(numbers) if len(numbers) == len(dims) else None


def _infer_reshape(
    operand: Type,
    *more: Type,
    shape: tuple[int | None, ...],
    result_type: Type | None = None,
    order: str = "C",
    copy: bool | None = None,
) -> Type:
    dtype = strong_dtype(operand)
    if len(more) != shape.count(None) or not all(map(is_int_type, more)):
        raise DiagnosticError(catalog.INVALID_IR, detail="the sizes of a reshape don't fit")
    dims = _reshaped(dims_of(operand), shape, result_type)
    wrong_sign = [size for size in shape if size is not None and size < -1]
    source, target = _size(dims_of(operand)), _size(dims)
    if shape.count(-1) > 1 or wrong_sign or (None not in (source, target) and source != target):
        reason = f"{operand} cannot have the shape {_text(shape)}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="reshape()", reason=reason)
    if isinstance(operand, ScalarType) and not dims:
        return operand  # a NumPy scalar stays one
    return TensorType(dtype, dims)


def _text(shape: tuple[int | None, ...]) -> str:
    return f"({', '.join('?' if size is None else str(size) for size in shape)})"


def _reshape_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    if "copy" in attrs:
        return Effect.RAISES
    source = dims_of(operands[0])
    target = _reshaped(source, attrs["shape"], attrs.get("result_type"))
    known = UNKNOWN not in source and sorted(map(str, source)) == sorted(map(str, target))
    same = _size(source) is not None and _size(source) == _size(target)
    return Effect.NONE if (known or same) and 0 not in target else Effect.RAISES


def _reshape(
    operand: Any,
    *more: Any,
    shape: tuple[int | None, ...],
    order: Any = "C",
    result_type: Type | None = None,
    **copy: Any,
) -> Any:
    del result_type
    return np.reshape(operand, fill_shape(shape, more), order, **copy)


def _reshape_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3, 4))
    yield (x,), {"shape": (6, 4)}
    yield (x,), {"shape": (3, -1)}
    yield (x, 8), {"shape": (None, -1)}
    yield (x[0, 0, 0],), {"shape": (1,)}
    yield (np.array(3),), {"shape": ()}
    yield (x[0, 0, 0],), {"shape": ()}
    yield (x.T,), {"shape": (6, -1), "order": "F"}


reshape = defop(
    "reshape",
    infer=_infer_reshape,
    kernel=_reshape,
    effects=_reshape_effects,
    view=True,
    numpy="reshape",
    samples=_reshape_samples,
)
"""``np.reshape(x, shape, order)``. ``shape`` has -1 as NumPy means it, and None for each size that
comes as an operand; ``result_type``, if there, knows more of the result than that; ``copy``, if
there, is False: where no view can be made, that is an error."""


# --- other views ----------------------------------------------------------------------------------


def _infer_transpose(operand: Type, *, axes: tuple[int, ...]) -> Type:
    dims = dims_of(operand)
    if not isinstance(operand, TensorType) or sorted(axes) != list(range(len(dims))):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"{axes} are not the axes of {operand}")
    return TensorType(operand.dtype, tuple(dims[axis] for axis in axes))


transpose = defop(
    "transpose",
    infer=_infer_transpose,
    kernel=lambda x, *, axes: np.transpose(x, axes),
    view=True,
    numpy="transpose",
    samples=lambda rng: [
        ((rng.random((2, 3, 4)),), {"axes": (1, 2, 0)}),
        ((np.array(2.0),), {"axes": ()}),
    ],
)
"""``np.transpose(x, axes)``, the axes counted from the front."""


def _infer_expand_dims(operand: Type, *, axis: int | tuple[int, ...]) -> Type:
    axes = axis if isinstance(axis, tuple) else (axis,)
    rest = iter(dims_of(operand))
    rank = len(dims_of(operand)) + len(axes)
    dims = tuple(1 if i in axes else next(rest) for i in range(rank))
    return TensorType(strong_dtype(operand), dims)


expand_dims = defop(
    "expand_dims",
    infer=_infer_expand_dims,
    kernel=lambda x, *, axis: np.expand_dims(x, axis),
    view=True,
    numpy="expand_dims",
    samples=lambda rng: [
        ((rng.random((2, 3)),), {"axis": 1}),
        ((rng.random((2, 3)),), {"axis": (0, 3)}),
        ((np.float32(2),), {"axis": 0}),
    ],
)
"""``np.expand_dims(x, axis)``: new axes of size 1, counted from the front of the result."""


def _infer_squeeze(operand: Type, *, axis: tuple[int, ...]) -> Type:
    dims = dims_of(operand)
    for position in axis:
        if isinstance(dims[position], int) and dims[position] != 1:
            reason = f"axis {position} of {operand} has a size other than 1"
            raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="squeeze()", reason=reason)
    kept = tuple(size for i, size in enumerate(dims) if i not in axis)
    return TensorType(strong_dtype(operand), kept)


def _squeeze_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    dims = dims_of(operands[0])
    return Effect.NONE if all(dims[i] == 1 for i in attrs["axis"]) else Effect.RAISES


squeeze = defop(
    "squeeze",
    infer=_infer_squeeze,
    kernel=lambda x, *, axis: np.squeeze(x, axis),
    effects=_squeeze_effects,
    view=True,
    numpy="squeeze",
    samples=lambda rng: [
        ((rng.random((1, 3, 1)),), {"axis": (0, 2)}),
        ((rng.random(1),), {"axis": (0,)}),
    ],
)
"""``np.squeeze(x, axis)``: an array, also where no axis is left."""


def _infer_flat(operand: Type, *, order: str = "C") -> Type:
    if isinstance(operand, PythonType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {operand}")
    return TensorType(strong_dtype(operand), (_cancel(dims_of(operand), ()),))


def _flat_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)),), {}
    yield (rng.random((2, 3)).T,), {}
    yield (np.array(3),), {}
    yield (np.float32(3),), {}
    yield (rng.random((2, 3)),), {"order": "F"}


ravel = defop(
    "ravel", infer=_infer_flat, kernel=np.ravel, view=True, numpy="ravel", samples=_flat_samples
)
"""``np.ravel(x, order)``: one axis, a view where the memory allows."""

flatten = defop(
    "flatten",
    infer=_infer_flat,
    kernel=lambda x, *, order="C": x.flatten(order),
    samples=_flat_samples,
)
"""``x.flatten(order)``: one axis, always a copy."""


def _infer_broadcast_to(
    operand: Type, *_: Type, shape: tuple[int | None, ...], result_type: Type | None = None
) -> Type:
    dims = shape_dims(shape, result_type)
    if all(size is not None for size in shape):
        sample = TensorType(strong_dtype(operand), (1,) * len(dims_of(operand)))
        ones = tuple(1 for _ in shape)
        probe("np.broadcast_to()", _broadcast_to, (sample,), {"shape": ones})
    return TensorType(strong_dtype(operand), dims)


def _broadcast_to(operand: Any, *more: Any, shape: tuple[int | None, ...], **_: Any) -> Any:
    return np.broadcast_to(operand, fill_shape(shape, more))


def _broadcast_to_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    target = shape_dims(attrs["shape"], attrs.get("result_type"))
    source = dims_of(operands[0])
    pairs = list(zip(reversed(source), reversed(target), strict=False))
    shrinks = any(to == 1 and size != 1 for size, to in pairs)
    sure = fits(source, target) and not shrinks and UNKNOWN not in target
    return Effect.NONE if sure else Effect.RAISES


broadcast_to = defop(
    "broadcast_to",
    infer=_infer_broadcast_to,
    kernel=_broadcast_to,
    effects=_broadcast_to_effects,
    view=True,
    numpy="broadcast_to",
    samples=lambda rng: [
        ((rng.random(3),), {"shape": (2, 3)}),
        ((rng.random((1, 3)), 2), {"shape": (None, 3)}),
        ((np.float32(3),), {"shape": ()}),
    ],
)
"""``np.broadcast_to(x, shape)``; ``shape`` and ``result_type`` as in ``reshape``."""
