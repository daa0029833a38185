"""What rolls of an array read, as a backend that makes loops takes them apart: the array with a
margin of what is at its other end, and parts of that.

    %1 = halo %x {before = (1, 0), after = (1, 0)}
    %2 = halo.window %1, %x {start = (0, 0)}          np.roll(x, 1, axis=0)
    %3 = halo.window %1, %x {start = (2, 0)}          np.roll(x, -1, axis=0)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, TensorType, Type, dims_of
from staticpy.ops.opdef import Effect, defop

Margin = tuple[int, ...]
"""How many elements, for each axis."""


def _halo(x: np.ndarray, *, before: Margin, after: Margin) -> np.ndarray:
    sizes = [sum(each) for each in zip(x.shape, before, after, strict=True)]
    made = np.empty_like(x, shape=sizes)  # which lies as np.roll lets its results lie
    if x.size:
        places = zip(x.shape, before, after, strict=True)
        made[...] = x[np.ix_(*(np.arange(-b, size + a) % size for size, b, a in places))]
    return made


def _infer_halo(x: Type, *, before: Margin, after: Margin) -> Type:
    assert isinstance(x, TensorType)
    margins = zip(x.dims, before, after, strict=True)
    return TensorType(x.dtype, tuple(UNKNOWN if b + a else dim for dim, b, a in margins))


halo_op = defop(
    "halo",
    infer=_infer_halo,
    kernel=_halo,
    effects=Effect.NONE,
    samples=lambda rng: [
        ((rng.random(4),), {"before": (1,), "after": (2,)}),
        ((rng.random((2, 3)),), {"before": (1, 0), "after": (3, 2)}),
    ],
)
"""An array, and around it so many elements more ``before`` and ``after``, as if it went round."""


def _window(halo: np.ndarray, x: np.ndarray, *, start: Margin) -> np.ndarray:
    ends = zip(start, x.shape, strict=True)
    return halo[tuple(slice(first, first + size) for first, size in ends)]


def _infer_window(halo: Type, x: Type, *, start: Margin) -> Type:
    del start
    assert isinstance(halo, TensorType)
    return TensorType(halo.dtype, dims_of(x))


def _window_samples(rng: np.random.Generator) -> Any:
    yield (rng.random(5), rng.random(3)), {"start": (1,)}
    yield (rng.random((4, 3)), rng.random((2, 3))), {"start": (2, 0)}


window_op = defop(
    "halo.window",
    infer=_infer_window,
    kernel=_window,
    effects=Effect.NONE,
    view=True,
    samples=_window_samples,
)
"""The part of a halo that begins at ``start`` and has the sizes of an array."""
