"""``sum_to``: the transpose of broadcasting."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from staticpy.ir import (
    UNKNOWN,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    dims_of,
    members_of,
    union_of,
)
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import defop


def _infer(stretched: Type, like: Type) -> Type:
    pairs = itertools.product(members_of(stretched), members_of(like))
    return union_of(_summed(*pair) for pair in pairs if _may_be_stretched(*pair))


def _may_be_stretched(stretched: Type, like: Type) -> bool:
    return len(dims_of(stretched)) >= len(dims_of(like))


def _summed(stretched: Type, like: Type) -> Type:
    is_array = isinstance(like, TensorType)
    if isinstance(stretched, PythonType) and not is_array:
        return stretched
    dtype = strong_dtype(stretched)
    return TensorType(dtype, dims_of(like)) if is_array else ScalarType(dtype)


def _sum_to(stretched: Any, like: Any) -> Any:
    shape = np.shape(like)
    if isinstance(like, np.ndarray) and np.shape(stretched) == shape:
        return np.asarray(stretched)
    new = np.ndim(stretched) - len(shape)
    axes = tuple(
        axis
        for axis, size in enumerate(np.shape(stretched))
        if axis < new or (shape[axis - new] == 1 and size != 1)
    )
    summed = np.sum(stretched, axis=axes) if axes else stretched
    if isinstance(like, np.ndarray):
        return np.asarray(summed).reshape(shape)
    return summed[()] if isinstance(summed, np.ndarray) else summed


def _samples(rng: np.random.Generator) -> Any:
    for shape in ((2, 3), (3,), (1, 3), (2, 1), (1,), ()):
        yield (rng.random((2, 3)), rng.random(shape)), {}
    yield (rng.random((2, 3), np.float32), np.float32(1)), {}
    yield (rng.random((0, 3)), rng.random(3)), {}
    yield (rng.random((2, 3)), np.array(1.5)), {}
    yield (rng.random((2, 3)), 1), {}
    yield (2.5, 1.5), {}
    yield (2.5, np.array(1)), {}
    yield (np.array(2.5), np.float32(1)), {}


sum_to = defop("sum_to", infer=_infer, kernel=_sum_to, view=True, samples=_samples)
"""``sum_to stretched, like``: what was broadcast from the shape of ``like``, summed back to it. Of
``like`` only the shape counts. Where there is nothing to sum, it is a view."""


def known_same(stretched: Type, like: Type) -> bool:
    """Whether two types are known to have the same shape, so that there is nothing to sum."""
    is_array = [isinstance(type_, TensorType) for type_ in (stretched, like)]
    dims = dims_of(stretched)
    return UNKNOWN not in dims and dims == dims_of(like) and is_array[0] == is_array[1]
