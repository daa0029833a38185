"""``sum_to``: the transpose of broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import Dim, ScalarType, TensorType, Type, dims_of
from staticpy.ops.opdef import defop


def _infer(stretched: Type, like: Type) -> Type:
    dtype: np.dtype = stretched.dtype  # type: ignore[attr-defined]
    return ScalarType(dtype) if isinstance(like, ScalarType) else TensorType(dtype, dims_of(like))


def _sum_to(stretched: Any, like: Any) -> Any:
    shape = np.shape(like)
    new = np.ndim(stretched) - len(shape)
    axes = tuple(
        axis
        for axis, size in enumerate(np.shape(stretched))
        if axis < new or (shape[axis - new] == 1 and size != 1)
    )
    summed = np.sum(stretched, axis=axes) if axes else stretched
    return np.reshape(summed, shape) if isinstance(like, np.ndarray) else np.asarray(summed)[()]


def _samples(rng: np.random.Generator) -> Any:
    for shape in ((2, 3), (3,), (1, 3), (2, 1), (1,), ()):
        yield (rng.random((2, 3)), rng.random(shape)), {}
    yield (rng.random((2, 3), np.float32), np.float32(1)), {}
    yield (rng.random((0, 3)), rng.random(3)), {}


sum_to = defop("sum_to", infer=_infer, kernel=_sum_to, samples=_samples)
"""``sum_to stretched, like``: what was broadcast from the shape of ``like``, summed back to it. Of
``like`` only the shape counts."""


def known_same(stretched: Type, like: Type) -> bool:
    """Whether two types are known to have the same shape, so that there is nothing to sum."""
    left: tuple[Dim, ...] = dims_of(stretched)
    return left == dims_of(like) and isinstance(stretched, ScalarType) == isinstance(
        like, ScalarType
    )
