"""Rules of quantiles and medians: elements of sorted rows, and what lies between two of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import Axes, axes_of, made, product, refuse, shape
from staticpy.ops.rules.base import call, defrule, is_python, rank_of, reapply
from staticpy.ops.rules.composed import Composed
from staticpy.ops.rules.library import composed

Array = Any

# --- where a part of sorted numbers lies ----------------------------------------------------------

_CORNERS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
"""The constants of continuous methods (R. Hyndman, Y. Fan, "Sample quantiles in statistical
packages", 1996)."""


@dataclass(frozen=True)
class _Rounding:
    """How numbers, or arrays, are rounded."""

    down: Callable[[Any], Any]
    up: Callable[[Any], Any]
    near: Callable[[Any], Any]


_OF_NUMBERS = _Rounding(*(partial(call, each) for each in (math.floor, math.ceil, round)))
_OF_ARRAYS = _Rounding(np.floor, np.ceil, np.rint)
_STEPS: dict[str, Callable[[Any, Any, _Rounding], Any]] = {
    "lower": lambda count, q, to: to.down(q * (count - 1)),
    "higher": lambda count, q, to: to.up(q * (count - 1)),
    "nearest": lambda count, q, to: to.near(q * (count - 1)),
    "midpoint": lambda count, q, to: (to.down(q * (count - 1)) + to.up(q * (count - 1))) / 2,
    "inverted_cdf": lambda count, q, to: to.up(count * q - 1),
    "closest_observation": lambda count, q, to: to.near(count * q) - 1,
    "averaged_inverted_cdf": lambda count, q, to: (to.up(count * q - 1) + to.down(count * q)) / 2,
}
"""The methods that go in steps, with NumPy's roundings; of two numbers it is the middle of both."""


def _place(count: Any, q: Any, method: str) -> Any:
    """Where the part ``q`` of ``count`` sorted numbers lies among them."""
    if method == "linear":
        return q * (count - 1)
    is_number = not (rank_of(count) or rank_of(q))
    if method in _CORNERS:
        first, second = _CORNERS[method]
        place = count * q + (first + q * (1 - first - second)) - 1
    elif method in _STEPS:
        place = _STEPS[method](count, q, _OF_NUMBERS if is_number else _OF_ARRAYS)
    else:
        raise refuse("np.quantile()", "method")
    if is_number and is_python(place):
        return call(max, call(min, place * 1.0, count - 1.0), 0.0)
    return np.maximum(np.minimum(place, count - 1), 0)


def _at(rows: Any, count: Any, q: Any, method: str) -> Any:
    """The numbers at the part ``q`` of sorted rows of ``count`` numbers; a row of parts makes a
    last axis. ``count`` is a number, or one for each row.
    """
    if rank_of(count) and rank_of(q):
        count = count[..., None]
    place = _place(count, q, method)
    if not rank_of(place):
        low = call(math.floor, place)
        places = (low, call(min, low + 1, count - 1))
        # A part of length 1, as there may be no number at all.
        values = [np.sum(rows[..., slice(each, each + 1)], axis=-1) for each in places]
    else:
        low = np.floor(place)
        indices = [each.astype(np.intp) for each in (low, np.minimum(low + 1, count - 1))]
        values = [_taken(rows, each, count, q) for each in indices]
    return values[0] + (values[1] - values[0]) * (place - low)


def _taken(rows: Any, index: Any, count: Any, q: Any) -> Any:
    if not rank_of(count):
        return np.take(rows, index, axis=-1)
    # One more, as there may be none: the last but none is it.
    rows = np.concatenate([rows, made(rows, np.zeros, (*shape(rows)[:-1], 1), rows.dtype)], axis=-1)
    if rank_of(q):
        return np.take_along_axis(rows, index, -1)
    return np.take_along_axis(rows, index[..., None], -1)[..., 0]


# --- the functions --------------------------------------------------------------------------------


def _rows(a: Any, axis: Axes) -> Any:
    """What is reduced, as one last axis."""
    axes = axes_of(axis, a)
    kept = tuple(each for each in range(rank_of(a)) if each not in axes)
    moved = np.transpose(a, (*kept, *axes)) if rank_of(a) else np.reshape(a, (1,))
    sizes = shape(moved)
    return np.reshape(moved, (*sizes[: len(kept)], product(sizes[len(kept) :])))


def _quantile_of(function: Any, whole: Any) -> Callable[..., Any]:
    """``np.quantile`` or one of its kin, with ``q`` from 0 to ``whole``."""
    ignores_nan = function in (np.nanquantile, np.nanpercentile)

    def quantile(  # noqa: PLR0913, PLR0917
        a: Any,
        q: Any,
        axis: Axes = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
        *,
        weights: Any = None,
    ) -> Any:
        del out, overwrite_input
        named: Any = {"method": method, "keepdims": keepdims, "weights": weights}
        if isinstance(q, tuple | list):
            return np.stack([quantile(a, each, axis, **named) for each in q])
        if rank_of(q) > 1:
            found = quantile(
                a, np.ravel(q), axis, method=method, keepdims=keepdims, weights=weights
            )
            return np.reshape(found, (*shape(q), *shape(found)[1:]))
        rows = _rows(a, axis)
        if weights is None:
            count = _count(rows) if ignores_nan else shape(rows)[-1]
            found = _at(np.sort(rows, axis=-1), count, q / whole, method)
        else:
            weights = _rows_of_weights(weights, a, axis)
            found = _weighted(function, rows, q, weights)
        found = np.moveaxis(found, -1, 0) if rank_of(q) else found
        return _keep_axes(found, a, axis, rank_of(q)) if keepdims else found

    return quantile


def _rows_of_weights(weights: Any, a: Any, axis: Axes) -> Any:
    if rank_of(weights) != rank_of(a):
        return np.ravel(weights)
    if axis is not None and len(axes_of(axis, a)) > 1 and _mixes_weights():
        raise refuse("np.quantile()", "weights")
    return _rows(weights, axis)


@cache
def _mixes_weights() -> bool:
    """Whether this NumPy gives the elements along several axes the weights of others, as before
    2.4: it reshapes what is reduced, and not the weights.
    """
    weights = np.array([[0, 1], [0, 0]])
    found = np.quantile(
        np.arange(4).reshape(2, 2), 0.5, (0, 1), None, False, "inverted_cdf", weights=weights
    )
    return bool(found != 1)


def _count(rows: Array) -> Any:
    """How many of each row are numbers."""
    count = np.sum(np.logical_not(np.isnan(rows)), axis=-1)
    return count if rank_of(count) else call(int, count)


def _weighted(function: Any, rows: Array, q: Any, weights: Array) -> Array:
    """An element of each row, or one for each part: that whose rank is what ``function`` gives of
    the ranks. Nothing flows through its place.
    """
    ranks = np.argsort(np.argsort(rows, axis=-1), axis=-1)
    ranks = np.where(np.isnan(rows), np.nan, ranks)
    held, parts, by = (reapply("stop_gradient", each) for each in (ranks, q, weights))
    places = function(held, parts, axis=-1, method="inverted_cdf", weights=by)
    places = np.where(np.isnan(places), 0, places).astype(np.intp)
    index = np.moveaxis(places, 0, -1) if rank_of(q) else places[..., None]
    found = np.take_along_axis(np.sort(rows, axis=-1), index, -1)
    return found if rank_of(q) else found[..., 0]


def _keep_axes(found: Any, a: Any, axis: Axes, before: int) -> Any:
    """The axes that were reduced as axes of size 1, behind those of ``q``."""
    axes = tuple(before + each for each in axes_of(axis, a))
    return np.expand_dims(found, axes) if rank_of(found) else np.reshape(found, (1,) * rank_of(a))


def _median(a: Any, axis: Axes = None, keepdims: bool = False) -> Any:
    return _quantile_of(np.quantile, 1)(a, 0.5, axis, keepdims=keepdims)


def _nanmedian(a: Any, axis: Axes = None, *, keepdims: bool = False) -> Any:
    return _quantile_of(np.nanquantile, 1)(a, 0.5, axis, keepdims=keepdims)


def _median_vjp(g: Any, _out: Any, x: Any, **attrs: Any) -> Any:
    return tuple(Composed(lambda a: _median(a, **attrs), [x]).pull([g], [0]))


def _median_jvp(tangents: Any, _out: Any, x: Any, **attrs: Any) -> Any:
    return Composed(lambda a: _median(a, **attrs), [x]).push(tangents)[0]


composed("quantile", _quantile_of(np.quantile, 1))
composed("percentile", _quantile_of(np.percentile, 100))
composed("nanquantile", _quantile_of(np.nanquantile, 1))
composed("nanpercentile", _quantile_of(np.nanpercentile, 100))
composed("nanmedian", _nanmedian)
defrule("median", _median_vjp, _median_jvp)
