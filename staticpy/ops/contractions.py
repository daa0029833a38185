"""Sums over one index of two stacks of matrices, as ``np.einsum`` makes them, as products.

    einsum("bij,bjk->bik", x, w)    einsum.matmul %x, %w
    einsum("ij,jk->ki", x, w)       einsum.matmul %w.T, %x.T
    einsum("ij,bjk->ibk", x, w)     einsum.matmul %x, %w {axes = (1, 0, 2)}

In: arrays as ``matmul`` takes them, and the order of the result's axes, if it is another one. Out:
an array that lies in memory as that of ``np.einsum`` does: as the operands do, in the order in
which NumPy's iterator would walk along all three. NumPy warns of nothing here. Backends with
products emit it; the numbers are those of a product, and not of NumPy's loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, TensorType, Type, dims_of
from staticpy.ops.linalg import matmul_dims
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.promote import fits

Axes = tuple[int, ...] | None

_FEW = 1 << 12
"""Up to so many multiplications NumPy's loop is faster than what comes before a product."""


def _einsum_matmul(a: np.ndarray, b: np.ndarray, *, axes: Axes = None) -> np.ndarray:
    rank = max(a.ndim, b.ndim)
    order = tuple(range(rank)) if axes is None else axes
    # the axes of the product, and last the one that is summed
    *outer, m, n, k = range(rank + 1)
    left = [*outer[rank - a.ndim :], m, k]
    right = [*outer[rank - b.ndim :], k, n]
    is_plain = a.shape[-1] == b.shape[-2] and min(*a.shape[-2:], *b.shape[-2:]) > 1
    if not is_plain or max(a.size * b.shape[-1], b.size * a.shape[-2]) <= _FEW:
        found: np.ndarray = np.einsum(a, left, b, right, order)
        return found
    result = _new_array(a, b, [_places(each, (*order, k)) for each in (left, right)])
    with np.errstate(all="ignore"):
        if axes is None and result.flags.c_contiguous:
            return np.matmul(a, b, out=result)
        result[...] = np.matmul(a, b).transpose(order)
    return result


def _places(axes: list[int], walked: tuple[int, ...]) -> list[int]:
    """For each axis that is walked along which one of an operand it is, or -1."""
    return [axes.index(each) if each in axes else -1 for each in walked]


def _new_array(a: np.ndarray, b: np.ndarray, places: list[list[int]]) -> np.ndarray:
    """The array that ``np.einsum`` would make: its iterator does, before anything is computed."""
    result = [*range(len(places[0]) - 1), -1]
    iterator = np.nditer(
        (a, b, None),
        ["reduce_ok", "zerosize_ok"],
        [["readonly"], ["readonly"], ["readwrite", "allocate"]],
        op_axes=[*places, result],
    )
    return iterator.operands[2]


def _infer(left: Type, right: Type, *, axes: Axes = None) -> Type:
    assert isinstance(left, TensorType)
    dims = matmul_dims(dims_of(left), dims_of(right))
    return TensorType(left.dtype, dims if axes is None else tuple(dims[axis] for axis in axes))


def _effects(operands: Any, _attrs: Attrs) -> Effect:
    left, right = map(dims_of, operands)
    is_equal = left[-1] == right[-2] and left[-1] != UNKNOWN
    return Effect.NONE if is_equal and fits(left[:-2], right[:-2]) else Effect.RAISES


def _samples(rng: np.random.Generator) -> Any:
    for dtype in ("float32", "float64"):
        for left, right, axes in (
            ((2, 3), (3, 4), None),
            ((5, 2, 3), (5, 3, 4), None),
            ((5, 2, 3), (3, 4), (1, 0, 2)),
            ((1, 20, 30), (5, 30, 40), (2, 0, 1)),
        ):
            pair = [rng.integers(-4, 5, shape).astype(dtype) for shape in (left, right)]
            yield tuple(pair), {} if axes is None else {"axes": axes}


einsum_matmul = defop(
    "einsum.matmul", infer=_infer, kernel=_einsum_matmul, effects=_effects, samples=_samples
)
