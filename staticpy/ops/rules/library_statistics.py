"""Rules of NumPy's library: averages, spreads, quantiles, interpolation."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    Axes,
    axes_of,
    conj,
    count_along,
    made,
    product,
    refuse,
    root,
    row,
    shape,
)
from staticpy.ops.rules.base import call, defrule, is_complex, is_python, rank_of
from staticpy.ops.rules.composed import Composed
from staticpy.ops.rules.library import composed

# --- averages and spreads -------------------------------------------------------------------------


def _average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    if weights is None:
        found = np.mean(a, axis=axis, keepdims=keepdims)
        return (found, np.zeros_like(found)) if returned else found
    weights = row(a, weights)
    if rank_of(weights) != rank_of(a):
        if isinstance(axis, tuple) or axis is None:
            raise refuse("np.average()", "weights")
        weights = np.reshape(weights, (-1, *(1,) * (rank_of(a) - axis % rank_of(a) - 1)))
    total = np.sum(np.broadcast_to(weights, shape(a)), axis=axis, keepdims=keepdims)
    found = np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (found, total) if returned else found


def _rows_of(m: Any, y: Any, rowvar: bool) -> Any:
    def rows(x: Any) -> Any:
        table = np.reshape(x, (1, -1)) if rank_of(x) < 2 else x
        return table if rowvar or rank_of(x) < 2 else table.T

    return rows(m) if y is None else np.concatenate([rows(m), rows(y)])


def _covariances(m: Any, y: Any, rowvar: bool, ddof: int) -> Any:
    table = _rows_of(m, y, rowvar)
    moved = table - np.mean(table, axis=1, keepdims=True)
    return moved @ conj(moved.T) / (shape(table)[1] - ddof)


def _cov(  # noqa: PLR0913, PLR0917
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    del dtype
    degrees = (0 if bias else 1) if ddof is None else ddof
    if fweights is None and aweights is None:
        return _squeezed(_covariances(m, y, rowvar, degrees))
    table = _rows_of(m, y, rowvar)
    given = [row(table, each) for each in (fweights, aweights) if each is not None]
    weights = functools.reduce(np.multiply, given)
    total = np.sum(weights)
    moved = table - np.sum(table * weights, axis=1, keepdims=True) / total
    lost = 1 if aweights is None else np.sum(weights * given[-1]) / total
    return _squeezed((moved * weights) @ conj(moved.T) / (total - degrees * lost))


def _squeezed(table: Any) -> Any:
    """A table of one number as the number."""
    rows = shape(table)[0]
    return table[0, 0] if type(rows) is int and rows == 1 else table


def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *_: Any, **__: Any) -> Any:
    found = _covariances(x, y, rowvar, 0)
    scale = np.sqrt(np.diagonal(found).real)
    result = found / scale[:, None] / scale[None, :]
    return _squeezed(result)


def _var(  # noqa: PLR0913
    a: Any,
    axis: Axes = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """About a mean that is given, which may be any number."""
    if where is not True:
        raise refuse("np.var()", "where")
    del dtype, out
    moved = a - (np.mean(a, axis=axis, keepdims=True) if mean is None else mean)
    squares = (conj(moved) * moved).real if is_complex(moved) else moved * moved
    degrees = count_along(a, axis) - (ddof if correction is None else correction)
    return np.sum(squares, axis=axis, keepdims=keepdims) / call(max, degrees, 0)


@functools.wraps(_var)
def _std(*args: Any, **kwargs: Any) -> Any:
    return root(_var(*args, **kwargs))


composed("var", _var)
composed("std", _std)
composed("average", _average)
composed("cov", _cov)
composed("corrcoef", _corrcoef)


# --- without what is no number --------------------------------------------------------------------


def _there(x: Any) -> Any:
    return np.logical_not(np.isnan(x))


def _nanvar(
    a: Any,
    axis: Axes = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
) -> Any:
    del dtype, out
    there = _there(a)
    count = np.sum(there.astype(a.dtype), axis=axis, keepdims=True)
    mean = np.sum(np.where(there, a, 0), axis=axis, keepdims=True) / count
    moved = np.where(there, a - mean, 0)
    squares = (conj(moved) * moved).real if is_complex(a) else moved * moved
    total = np.sum(squares, axis=axis, keepdims=keepdims)
    degrees = np.sum(there, axis=axis, keepdims=keepdims) - ddof
    return total / degrees.astype(total.dtype)


@functools.wraps(_nanvar)
def _nanstd(*args: Any, **kwargs: Any) -> Any:
    return root(_nanvar(*args, **kwargs))


def _nancumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    del dtype
    return np.cumsum(np.where(_there(a), a, 0), axis=axis)


def _nancumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    del dtype
    return np.cumprod(np.where(_there(a), a, 1), axis=axis)


composed("nanvar", _nanvar)
composed("nanstd", _nanstd)
composed("nancumsum", _nancumsum)
composed("nancumprod", _nancumprod)


# --- quantiles ------------------------------------------------------------------------------------


def _sorted_rows(a: Any, axis: Axes) -> Any:
    """What is reduced, as one sorted last axis."""
    axes = axes_of(axis, a)
    kept = tuple(each for each in range(rank_of(a)) if each not in axes)
    moved = np.transpose(a, (*kept, *axes)) if rank_of(a) else np.reshape(a, (1,))
    sizes = shape(moved)
    rows = np.reshape(moved, (*sizes[: len(kept)], product(sizes[len(kept) :])))
    return np.sort(rows, axis=-1)


_CORNERS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
"""The constants of continuous methods (R. Hyndman, Y. Fan, "Sample quantiles in statistical
packages", 1996)."""
_STEPS: dict[str, tuple[Any, Any]] = {
    "lower": ((math.floor,), (np.floor,)),
    "higher": ((math.ceil,), (np.ceil,)),
    "nearest": ((round,), (np.rint,)),
    "midpoint": ((math.floor, math.ceil), (np.floor, np.ceil)),
}
"""How other methods round, of numbers and of arrays; of two that is in the middle of both."""


def _place(count: Any, q: Any, method: str) -> Any:
    """Where the part ``q`` of ``count`` sorted numbers lies among them."""
    is_number = not (rank_of(count) or rank_of(q))
    place = q * (count - 1)
    if method == "linear":
        return place
    if method in _CORNERS:
        first, second = _CORNERS[method]
        place = count * q + (first + q * (1 - first - second)) - 1
        if is_number and is_python(place):
            return call(max, call(min, place, count - 1.0), 0.0)
        return np.maximum(np.minimum(place, count - 1), 0)
    if method not in _STEPS:
        raise refuse("np.quantile()", "method")
    of_numbers, of_arrays = _STEPS[method]
    found = [call(each, place) if is_number else each(place) for each in
             (of_numbers if is_number else of_arrays)]  # fmt: skip
    return found[0] if len(found) == 1 else (found[0] + found[1]) / 2


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


def _quantile_of(whole: Any, *, ignores_nan: bool) -> Callable[..., Any]:
    """``np.quantile`` and its kin, with ``q`` from 0 to ``whole``."""

    def quantile(  # noqa: PLR0913, PLR0917
        a: Any,
        q: Any,
        axis: Axes = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
        **more: Any,
    ) -> Any:
        del out, overwrite_input
        if more:
            raise refuse("np.quantile()", next(iter(more)))
        if isinstance(q, tuple | list):
            found = [quantile(a, each, axis, method=method, keepdims=keepdims) for each in q]
            return np.stack(found)
        if rank_of(q) > 1:
            raise refuse("np.quantile()", "q")
        rows = _sorted_rows(a, axis)
        count = np.sum(_there(rows), axis=-1) if ignores_nan else shape(rows)[-1]
        count = count if rank_of(count) else call(int, count)
        found = _at(rows, count, q / whole, method)
        found = np.moveaxis(found, -1, 0) if rank_of(q) else found
        return _keep_axes(found, a, axis, rank_of(q)) if keepdims else found

    return quantile


def _keep_axes(found: Any, a: Any, axis: Axes, before: int) -> Any:
    """The axes that were reduced as axes of size 1, behind those of ``q``."""
    axes = tuple(before + each for each in axes_of(axis, a))
    return np.expand_dims(found, axes) if rank_of(found) else np.reshape(found, (1,) * rank_of(a))


def _median(a: Any, axis: Axes = None, keepdims: bool = False) -> Any:
    return _quantile_of(1, ignores_nan=False)(a, 0.5, axis, keepdims=keepdims)


def _nanmedian(a: Any, axis: Axes = None, *, keepdims: bool = False) -> Any:
    return _quantile_of(1, ignores_nan=True)(a, 0.5, axis, keepdims=keepdims)


def _median_vjp(g: Any, _out: Any, x: Any, **attrs: Any) -> Any:
    return tuple(Composed(lambda a: _median(a, **attrs), [x]).pull([g], [0]))


def _median_jvp(tangents: Any, _out: Any, x: Any, **attrs: Any) -> Any:
    return Composed(lambda a: _median(a, **attrs), [x]).push(tangents)[0]


composed("quantile", _quantile_of(1, ignores_nan=False))
composed("percentile", _quantile_of(100, ignores_nan=False))
composed("nanquantile", _quantile_of(1, ignores_nan=True))
composed("nanpercentile", _quantile_of(100, ignores_nan=True))
composed("nanmedian", _nanmedian)
defrule("median", _median_vjp, _median_jvp)


# --- interpolation --------------------------------------------------------------------------------


def _interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    xp, fp = row(x, xp), row(x, fp)
    if period is not None:
        left, right, size = None, None, abs(period)
        x, points = np.remainder(x, size), np.remainder(xp, size)
        order = np.argsort(points)
        xp, fp = points[order], fp[order]
        xp = np.concatenate([xp[-1:] - size, xp, xp[:1] + size])
        fp = np.concatenate([fp[-1:], fp, fp[:1]])
    last = shape(xp)[0] - 1
    index = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, last)
    beyond = np.minimum(index + 1, last)
    width = xp[beyond] - xp[index]
    slope = (fp[beyond] - fp[index]) / np.where(width == 0, 1, width)
    inside = fp[index] + slope * (x - xp[index])
    low, high = (fp[0] if left is None else left), (fp[-1] if right is None else right)
    found = np.where(x < xp[0], low, np.where(x > xp[-1], high, inside))
    return found if rank_of(x) else found[()]


composed("interp", _interp)
