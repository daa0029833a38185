"""Rules of NumPy's differences, derivatives and integrals of rows, and of its running sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import along, row, row_of
from staticpy.ops.rules.base import rank_of
from staticpy.ops.rules.library import composed

# --- differences and sums -------------------------------------------------------------------------


def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    line = np.ravel(ary)
    parts = [to_begin, line[1:] - line[:-1], to_end]
    return np.concatenate([row_of(row(line, each), line) for each in parts if each is not None])


def _spacing(varargs: Any, axes: tuple[int, ...]) -> list[Any]:
    given = varargs or (1.0,)
    return list(given) * len(axes) if len(given) == 1 else list(given)


def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    axes = (
        tuple(range(rank_of(f))) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    )
    pairs = zip(axes, _spacing(varargs, axes), strict=True)
    return tuple(_gradient_along(f, each % rank_of(f), step, edge_order) for each, step in pairs)


def _gradient_along(f: Any, axis: int, step: Any, order: int) -> Any:
    """Second-order differences inside, and those of the ``order`` at both ends."""
    steps = f[along(axis, slice(1, None))] - f[along(axis, slice(None, -1))]
    before, behind = slice(None, -1), slice(1, None)
    shares: Any = (0.5, 0.5)
    if isinstance(step, int | float) or not rank_of(step):
        slopes = steps / step
        inner = (slopes[along(axis, before)] + slopes[along(axis, behind)]) / 2
    else:
        widths = np.reshape(step[1:] - step[:-1], (-1, *(1,) * (rank_of(f) - axis - 1)))
        slopes = steps / widths
        left, right = widths[:-1], widths[1:]
        parts = slopes[along(axis, before)] * right + slopes[along(axis, behind)] * left
        inner = parts / (left + right)
        shares = (left / (left + right))[:1], (right / (left + right))[-1:]
    first, last = slopes[along(axis, slice(None, 1))], slopes[along(axis, slice(-1, None))]
    if order == 2:
        first = first + shares[0] * (first - slopes[along(axis, slice(1, 2))])
        last = last + shares[1] * (last - slopes[along(axis, slice(-2, -1))])
    return np.concatenate([first, inner, last], axis=axis)


def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    place = axis % rank_of(y)
    pairs = y[along(place, slice(1, None))] + y[along(place, slice(None, -1))]
    if x is None:
        widths = dx
    elif rank_of(x) == 1:
        widths = np.reshape(x[1:] - x[:-1], (-1, *(1,) * (rank_of(y) - place - 1)))
    else:
        at = place - rank_of(y) + rank_of(x)
        widths = x[along(at, slice(1, None))] - x[along(at, slice(None, -1))]
    return np.sum(pairs * widths / 2, axis=place - rank_of(y))


def _running(function: Callable[..., Any], start: Callable[..., Any]) -> Callable[..., Any]:
    def run(
        x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
    ) -> Any:
        del dtype
        place = 0 if axis is None else axis % rank_of(x)
        found = function(x, axis=place)
        if not include_initial:
            return found
        moved = np.swapaxes(found, place, 0)
        first = start(np.sum(moved, axis=0, keepdims=True) * 0)
        return np.swapaxes(np.concatenate([first, moved]), place, 0)

    return run


composed("ediff1d", _ediff1d)
composed("gradient", _gradient)
composed("trapezoid", _trapezoid)
composed("cumulative_sum", _running(np.cumsum, np.zeros_like))
composed("cumulative_prod", _running(np.cumprod, np.ones_like))
