"""Reductions: sums, means, extrema, truth of all or any, and running sums.

In: an array or NumPy scalar; ``axis`` as None, an int or a tuple. Out: what NumPy gives, which is a
NumPy scalar where no axis is left. Dtype and box of the result are asked of NumPy itself
(``probe``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, Dim, ScalarType, TensorType, Type, dims_of
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe

Axes = int | tuple[int, ...] | None


def reduced_dims(dims: tuple[Dim, ...], axis: Axes, keepdims: bool) -> tuple[Dim, ...]:
    """The sizes that are left when ``axis`` is reduced."""
    if axis is None:
        axes: tuple[int, ...] = tuple(range(len(dims)))
    else:
        axes = axis if isinstance(axis, tuple) else (axis,)
    if keepdims:
        return tuple(1 if i in axes else dim for i, dim in enumerate(dims))
    return tuple(dim for i, dim in enumerate(dims) if i not in axes)


def sized(type_: Type, dims: tuple[Dim, ...]) -> Type:
    """``type_``, as probed, with its sizes known."""
    return TensorType(type_.dtype, dims) if isinstance(type_, TensorType) else type_


def _infer_reduction(
    function: str, kernel: Callable[..., Any], operand: Type, **attrs: Any
) -> Type:
    (found,) = probe(f"np.{function}()", kernel, (operand,), attrs)
    dims = reduced_dims(dims_of(operand), attrs.get("axis"), attrs.get("keepdims", False))
    return sized(found, dims)


def _may_be_empty(operands: Sequence[Type], attrs: Attrs) -> Effect:
    """ValueError for a reduction without identity over no elements."""
    dims, axis = dims_of(operands[0]), attrs.get("axis")
    axes = range(len(dims)) if axis is None else (axis if isinstance(axis, tuple) else (axis,))
    reduced = [dims[i] for i in axes if dims]
    sure = all(isinstance(dim, int) and dim > 0 for dim in reduced)
    return Effect.NONE if sure else Effect.RAISES


def _float_warnings(operands: Sequence[Type], attrs: Attrs) -> Effect:
    (operand,) = operands
    assert isinstance(operand, ScalarType | TensorType)
    kinds = operand.dtype.kind + (attrs["dtype"].kind if attrs.get("dtype") else "")
    return Effect.WARNS if set(kinds) & set("fc") else Effect.NONE


def _samples(rng: np.random.Generator) -> Any:
    for dtype in ("bool", "int8", "uint8", "int64", "float16", "float32", "float64", "complex64"):
        x = rng.integers(0, 5, (2, 3, 4)).astype(dtype)
        yield (x,), {}
        yield (x,), {"axis": 0}
    yield (x.real,), {"axis": 1, "keepdims": True}
    yield (x[0, 0].real,), {"axis": 0}
    yield (x[0, 0, 0].real,), {}
    yield (np.array(2.5),), {}


def _real_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3, 4))
    for dtype in ("int8", "float32", "float64"):
        yield ((9 * x).astype(dtype),), {}
        yield ((9 * x).astype(dtype),), {"axis": (0, 2), "keepdims": True}


def _several_axes(rng: np.random.Generator) -> Any:
    yield from _samples(rng)
    yield (rng.random((2, 3, 4)),), {"axis": (0, 2)}
    yield (rng.random((2, 3, 4)),), {"axis": (0, 2), "keepdims": True}
    yield (rng.random((2, 3)),), {"axis": ()}


def _reduction(name: str, effects: Any, samples: Any = _several_axes) -> OpDef:
    kernel = getattr(np, name)
    return defop(
        name,
        infer=partial(_infer_reduction, name, kernel),
        kernel=kernel,
        effects=effects,
        numpy=name,
        samples=samples,
    )


sum_op = _reduction("sum", _float_warnings)
prod_op = _reduction("prod", _float_warnings)
mean_op = _reduction("mean", Effect.WARNS)
std_op = _reduction("std", Effect.WARNS)
var_op = _reduction("var", Effect.WARNS)
min_op = _reduction("min", _may_be_empty)
max_op = _reduction("max", _may_be_empty)
ptp_op = _reduction("ptp", Effect.RAISES, lambda rng: list(_samples(rng))[2:])
all_op = _reduction("all", Effect.NONE)
any_op = _reduction("any", Effect.NONE)
argmin_op = _reduction("argmin", _may_be_empty, _samples)
argmax_op = _reduction("argmax", _may_be_empty, _samples)
count_nonzero_op = _reduction("count_nonzero", Effect.NONE)
median_op = _reduction("median", Effect.RAISES | Effect.WARNS, _real_samples)
nansum_op = _reduction("nansum", _float_warnings)
nanprod_op = _reduction("nanprod", _float_warnings)
nanmean_op = _reduction("nanmean", Effect.WARNS)
nanmin_op = _reduction("nanmin", Effect.RAISES | Effect.WARNS)
nanmax_op = _reduction("nanmax", Effect.RAISES | Effect.WARNS)


def _infer_running(function: str, kernel: Callable[..., Any], operand: Type, **attrs: Any) -> Type:
    (found,) = probe(f"np.{function}()", kernel, (operand,), attrs)
    dims = dims_of(operand)
    if not dims:
        return sized(found, (1,))
    if attrs.get("axis") is None and len(dims) != 1:
        numbers = [dim for dim in dims if isinstance(dim, int)]
        return sized(found, (prod(numbers) if len(numbers) == len(dims) else UNKNOWN,))
    return sized(found, dims)


def _running_samples(rng: np.random.Generator) -> Any:
    for dtype in ("bool", "int8", "float32", "complex64"):
        x = rng.integers(0, 5, (2, 3)).astype(dtype)
        yield (x,), {}
        yield (x,), {"axis": 1}
        yield (x[0],), {}
        yield (x[0, 0],), {}


def _running(name: str) -> OpDef:
    kernel = getattr(np, name)
    return defop(
        name,
        infer=partial(_infer_running, name, kernel),
        kernel=kernel,
        effects=_float_warnings,
        numpy=name,
        samples=_running_samples,
    )


cumsum_op = _running("cumsum")
cumprod_op = _running("cumprod")
