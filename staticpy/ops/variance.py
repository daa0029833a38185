"""The steps of ``np.var``, each an op of its own, of which backends with loops make one walk.

In: an array of floats. Out: what NumPy subtracts from it, with axes of size 1 in place of those
that are reduced; then, of the squares of the differences, the variance. Between them stand
``subtract`` and ``square``. Each step computes and warns as that of NumPy does
(``numpy/_core/_methods.py``).
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from staticpy.ir import TensorType, Type, dims_of
from staticpy.ops.opdef import Effect, Samples, defop
from staticpy.ops.probe import probe
from staticpy.ops.reduce import Axes, reduced_dims, sized


def _count(x: np.ndarray, axis: Axes) -> np.intp:
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return np.intp(prod(x.shape[each] for each in axes))


def _mean(x: np.ndarray, *, axis: Axes = None, ddof: int = 0) -> np.ndarray:
    count = _count(x, axis)
    if ddof >= count:
        with np.errstate(all="ignore"):
            np.var(np.empty(0))  # which warns of too few degrees of freedom
    total = np.add.reduce(x, axis=axis, keepdims=True)
    return np.true_divide(total, count, out=total, casting="unsafe")


def _infer_mean(operand: Type, *, axis: Axes = None, ddof: int = 0) -> Type:
    del ddof
    assert isinstance(operand, TensorType)
    return TensorType(operand.dtype, reduced_dims(operand.dims, axis, keepdims=True))


def _quotient(x: np.ndarray, *, axis: Axes = None, keepdims: bool = False, ddof: int = 0) -> Any:
    total: Any = np.add.reduce(x, axis=axis, keepdims=keepdims)  # type: ignore[call-overload]
    count = np.maximum(_count(x, axis) - ddof, 0)
    if isinstance(total, np.ndarray):
        return np.true_divide(total, count, out=total, casting="unsafe")
    return total.dtype.type(total / count)


def _infer_quotient(operand: Type, **attrs: Any) -> Type:
    (found,) = probe("np.var()", _quotient, (operand,), attrs)
    return sized(
        found, reduced_dims(dims_of(operand), attrs.get("axis"), attrs.get("keepdims", False))
    )


def _samples(dtypes: tuple[str, ...], **more: Any) -> Samples:
    def samples(rng: np.random.Generator) -> Any:
        for dtype in dtypes:
            x = rng.random((2, 3, 4)).astype(dtype)
            for axis in (None, 2, (0, 1)):
                yield (x,), {"axis": axis, "ddof": 1, **more}
            yield (x[:, :0],), {"axis": 1, **more}

    return samples


var_mean = defop(
    "var.mean",
    infer=_infer_mean,
    kernel=_mean,
    effects=Effect.WARNS,
    samples=_samples(("float32", "float64")),
)
"""What ``np.var(x, axis, ddof)`` subtracts from ``x``."""

var_quotient = defop(
    "var.quotient",
    infer=_infer_quotient,
    kernel=_quotient,
    effects=Effect.WARNS,
    samples=_samples(("float32", "float64"), keepdims=True),
)
"""The sum of what is left, squared, by the degrees of freedom."""
