"""Rules of Bessel's function, of the window that is made of it, and of histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import made, refuse, shape
from staticpy.ops.rules.base import flows, is_complex, rank_of
from staticpy.ops.rules.library import composed

Array = Any

_NODES = 128


def _i0(x: Any) -> Array:
    """The integral of ``exp(x * cos(t))`` over half a turn, divided by its length. The midpoint
    rule is right to rounding as far as ``i0`` is finite (Trefethen and Weideman, The exponentially
    convergent trapezoidal rule, SIAM Review 56, 2014).
    """
    angles = (made(x, np.arange, _NODES) + 0.5) * (np.pi / _NODES)
    return np.mean(np.exp((x[..., None] if rank_of(x) else x) * np.cos(angles)), axis=-1)


def _kaiser(M: Any, beta: Any) -> Array:  # noqa: N803
    if not isinstance(M, int):
        raise refuse("np.kaiser()", "M")
    middle = (M - 1) / 2
    widths = np.sqrt(1 - ((made(beta, np.arange, M) - middle) / max(middle, 0.5)) ** 2)
    return _i0(made(beta, np.full, M, beta) * widths) / _i0(beta)


composed("i0", _i0)
composed("kaiser", _kaiser)


def _histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002
    density: Any = None,
    weights: Any = None,
) -> tuple[Any, Array]:
    """The weights of a bin are added up; a count has no derivative, but its density has."""
    if rank_of(bins):
        edges = bins
    elif range is None:
        edges = made(a, np.histogram_bin_edges, a, bins)
    else:
        edges = made(a, np.linspace, *range, bins + 1)
    row, last = np.ravel(a), shape(edges)[0] - 1
    found = np.searchsorted(edges, row, "right") - 1
    number = np.where(row == edges[-1], last - 1, found)
    inside = np.logical_and(number >= 0, number < last)
    given = np.ones_like(row) if weights is None else np.ravel(weights)
    kept = np.where(inside, given, 0)
    total = _added_up(np.maximum(np.minimum(number, last - 1), 0), kept, last)
    if density:
        total = total / (edges[1:] - edges[:-1]) / np.sum(total)
    is_count = not density and (weights is None or not flows(given))
    return (0 if is_count else total), edges


def _added_up(numbers: Array, weights: Array, count: Any) -> Array:
    if is_complex(weights):
        parts = (_added_up(numbers, each, count) for each in (weights.real, weights.imag))
        return next(parts) + 1j * next(parts)
    return np.bincount(numbers, weights, count)[:count]


composed("histogram", _histogram)
