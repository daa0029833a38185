"""Rules of Bessel's function, of the window that is made of it, and of histograms."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import made, product, refuse, row, scatter_at, shape
from staticpy.ops.rules.base import flows, is_complex, rank_of
from staticpy.ops.rules.library import composed
from staticpy.ops.traced import leader

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


def _added_up(numbers: Array, weights: Array, count: Any) -> Array:
    """One more, as there may be no bin at all."""
    total = made(weights, np.zeros, count + 1, weights.dtype)
    return scatter_at(weights, total, numbers)[:count]


def _edges(x: Array, bins: Any, limits: Any) -> Array:
    """The edges of the bins along one axis. NumPy puts complex numbers into bins by their real
    parts, some of the time.
    """
    if is_complex(x):
        raise refuse("np.histogram()", "a")
    if isinstance(bins, tuple | list) or rank_of(bins):
        return row(x, bins)
    if limits is None:
        return made(x, np.histogram_bin_edges, x, bins)
    return made(x, np.linspace, *limits, bins + 1)


def _histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002
    density: Any = None,
    weights: Any = None,
) -> tuple[Any, ...]:
    """The weights of a bin are added up; a count has no derivative, but its density has. The
    numbers of the bins of all axes are one.
    """
    rows: Any = sample
    if not isinstance(sample, tuple | list):
        if rank_of(sample) != 2:
            raise refuse("np.histogramdd()", "sample")
        rows = [sample[:, at] for at in builtins.range(_count(sample, bins, range))]
    else:
        like = leader((*sample, weights))
        rows = [row(like, each) for each in sample]
    each = bins if isinstance(bins, tuple | list) else (bins,) * len(rows)
    limits = (None,) * len(rows) if range is None else range
    edges = [_edges(*given) for given in zip(rows, each, limits, strict=True)]
    places, inside = _place(rows[0], edges[0])
    for values, own in zip(rows[1:], edges[1:], strict=True):
        number, is_inside = _place(values, own)
        places = places * (shape(own)[0] - 1) + number
        inside = np.logical_and(inside, is_inside)
    sizes = tuple(shape(own)[0] - 1 for own in edges)
    given = np.ones_like(rows[0]) if weights is None else weights
    total = np.reshape(_added_up(places, np.where(inside, given, 0), product(sizes)), sizes)
    if density:
        total = total / np.sum(total)
        for at, own in enumerate(edges):
            total = total / (own[1:] - own[:-1])[(..., *(None,) * (len(edges) - at - 1))]
    is_count = not density and (weights is None or not flows(given))
    return (0 if is_count else total), *edges


def _count(sample: Any, bins: Any, limits: Any) -> int:
    """How many axes there are."""
    for each in (bins, limits):
        if isinstance(each, tuple | list):
            return len(each)
    size = shape(sample)[1]
    if not isinstance(size, int):
        raise refuse("np.histogramdd()", "sample")
    return size


def _place(x: Array, edges: Array) -> tuple[Array, Array]:
    """The number of the bin of each element, and whether it is in one."""
    last = shape(edges)[0] - 1
    found = np.searchsorted(edges, x, "right") - 1
    number = np.where(x == edges[-1], last - 1, found)
    inside = np.logical_and(number >= 0, number < last)
    return np.maximum(np.minimum(number, last - 1), 0), inside


def _histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002
    density: Any = None,
    weights: Any = None,
) -> tuple[Any, ...]:
    by = None if weights is None else np.ravel(weights)
    return _histogramdd((np.ravel(a),), (bins,), (range,), density, by)


def _histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002
    density: Any = None,
    weights: Any = None,
) -> tuple[Any, ...]:
    if isinstance(bins, tuple | list) and len(bins) == 1:
        bins = bins[0]
    if isinstance(bins, tuple | list) and len(bins) != 2:
        bins = made(x, np.array, bins)
    return _histogramdd((x, y), bins, range, density, weights)


composed("histogram", _histogram)
composed("histogramdd", _histogramdd)
composed("histogram2d", _histogram2d)
