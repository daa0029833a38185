"""Rules of NumPy's library: averages, spreads, quantiles, interpolation, polynomials."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    Axes,
    axes_of,
    conj,
    made,
    places,
    product,
    refuse,
    root,
    row,
    shape,
)
from staticpy.ops.rules.base import call, defrule, flows, is_complex, rank_of, zeros_like
from staticpy.ops.rules.composed import Composed
from staticpy.ops.rules.library import composed, explicit, transposed
from staticpy.ops.traced import is_traced

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
    if fweights is not None or aweights is not None:
        raise refuse("np.cov()", "aweights")
    del dtype
    found = _covariances(m, y, rowvar, (0 if bias else 1) if ddof is None else ddof)
    return _squeezed(found)


def _squeezed(table: Any) -> Any:
    """A table of one number as the number."""
    rows = shape(table)[0]
    return table[0, 0] if type(rows) is int and rows == 1 else table


def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *_: Any, **__: Any) -> Any:
    found = _covariances(x, y, rowvar, 0)
    scale = np.sqrt(np.diagonal(found).real)
    result = found / scale[:, None] / scale[None, :]
    return _squeezed(result)


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


def _at(rows: Any, count: Any, q: Any) -> Any:
    """The numbers at the part ``q`` of sorted rows of ``count`` numbers, linear in between; a row
    of parts makes a last axis. ``count`` is a number, or one for each row.
    """
    if rank_of(count) and rank_of(q):
        count = count[..., None]
    place = q * (count - 1)
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
        if method != "linear" or more:
            raise refuse("np.quantile()", "method")
        if isinstance(q, tuple | list):
            return np.stack([quantile(a, each, axis, keepdims=keepdims) for each in q])
        if rank_of(q) > 1:
            raise refuse("np.quantile()", "q")
        rows = _sorted_rows(a, axis)
        count = np.sum(_there(rows), axis=-1) if ignores_nan else shape(rows)[-1]
        count = count if rank_of(count) else call(int, count)
        found = _at(rows, count, q / whole)
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
    if period is not None:
        raise refuse("np.interp()", "period")
    xp, fp = row(x, xp), row(x, fp)
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


# --- polynomials and special functions ------------------------------------------------------------


def _powers(x: Any, p: Any) -> Any:
    """``x ** (n - 1)``, …, ``x``, 1 along a new last axis."""
    numbers = places(p, 0)
    wide = x if rank_of(x) and flows(x) else p
    exponents = (shape(p)[0] - 1 - numbers).astype(wide.dtype if flows(wide) else np.float64)
    return x[..., None] ** exponents if rank_of(x) else x**exponents


def _polyval(p: Any, x: Any) -> Any:
    p = row(x, p)
    if rank_of(p) != 1:
        raise refuse("np.polyval()", "p")
    return np.sum(_powers(x, p) * p, axis=-1)


def _polyval_upwards(x: Any, c: Any) -> Any:
    """As ``_polyval``, with the constant first."""
    if rank_of(c) != 1:
        raise refuse("np.polynomial.polynomial.polyval()", "c")
    return _polyval(c[::-1], x)


def _vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:  # noqa: N803
    if not isinstance(N, int):
        raise refuse("np.vander()", "N")
    if N < 1:
        return x[..., None][..., :0]
    columns: list[Any] = [np.ones_like(x)]
    for _ in range(N - 1):
        columns.append(columns[-1] * x)
    return np.stack(columns if increasing else columns[::-1], axis=-1)


def _polyder(p: Any, m: int = 1) -> Any:
    for _ in range(m):
        exponents = shape(p)[0] - 1 - places(p, 0)
        p = (p * exponents.astype(p.dtype))[:-1]
    return p


def _polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    if m != 1 or k is not None:
        raise refuse("np.polyint()", "m" if m != 1 else "k")
    exponents = (shape(p)[0] - places(p, 0)).astype(p.dtype)
    return np.concatenate([p / exponents, made(p, np.zeros, (1,), p.dtype)])


def _polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, *more: Any) -> Any:
    if full or more or rcond is not None:
        raise refuse("np.polyfit()", "full" if full else "w")
    return np.linalg.lstsq(_vander(x, deg + 1 if isinstance(deg, int) else None), y)[0]


def _require_rows(*operands: Any) -> None:
    """Coefficients are a row, or a number."""
    if any(rank_of(a) > 1 for a in operands):
        raise refuse("the sum of polynomials", "a1")


def _last_of(g: Any, a: Any) -> Any:
    """The cotangent of the coefficients ``a``, which stand at the end."""
    return g[shape(g)[0] - shape(a)[0] :] if rank_of(a) else g[-1]


def _polyadd_vjp(g: Any, _out: Any, a1: Any, a2: Any) -> Any:
    _require_rows(a1, a2)
    return _last_of(g, a1), _last_of(g, a2)


def _polyadd_jvp(tangents: Any, _out: Any, *operands: Any) -> Any:
    return np.polyadd(*_filled(tangents, operands))


def _polysub_jvp(tangents: Any, _out: Any, *operands: Any) -> Any:
    return np.polysub(*_filled(tangents, operands))


def _filled(tangents: Any, operands: Any) -> list[Any]:
    _require_rows(*operands)
    pairs = zip(tangents, operands, strict=True)
    return [zeros_like(x) if t is None else t for t, x in pairs]


def _polysub_vjp(g: Any, _out: Any, a1: Any, a2: Any) -> Any:
    _require_rows(a1, a2)
    return _last_of(g, a1), -_last_of(g, a2)


def _sinc_vjp(g: Any, out: Any, x: Any) -> Any:
    return g * _sinc_slope(out, x)


def _sinc_jvp(tangents: Any, out: Any, x: Any) -> Any:
    return tangents[0] * _sinc_slope(out, x)


def _sinc_slope(out: Any, x: Any) -> Any:
    """``(cos(πx) - sinc(x)) / x``, of which little is left near 0: there, its series."""
    is_near, square = np.absolute(x) < 1e-3, np.pi**2 * x * x
    series = x * (square * (np.pi**2 / 30) - np.pi**2 / 3)
    found = np.where(is_near, series, (np.cos(np.pi * x) - out) / np.where(is_near, 1, x))
    return found if rank_of(x) else found[()]


composed("polyval", _polyval)
composed("polyint", _polyint)
composed("polyfit", _polyfit)
explicit("polyadd", _polyadd_vjp, _polyadd_jvp)
explicit("polysub", _polysub_vjp, _polysub_jvp)
composed("polyder", _polyder)
composed("vander", _vander)
explicit("sinc", _sinc_vjp, _sinc_jvp)


def _linspace(  # noqa: PLR0913, PLR0917
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    del dtype
    step = (stop - start) / call(max, num - 1 if endpoint else num, 1)
    numbers = made(start if is_traced(start) else stop, np.arange, num)
    found = _spread(lambda n: start + n * step, numbers, start, stop, axis)
    return (found, step) if retstep else found


def _spread(function: Any, numbers: Any, start: Any, stop: Any, axis: int) -> Any:
    """A function of numbers that stand along a new axis."""
    rank = max(rank_of(start), rank_of(stop))
    found = function(numbers[(slice(None), *(None,) * rank)])
    return np.moveaxis(found, 0, axis) if axis and rank else found


def _geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    del dtype
    ratio = stop / start
    shares = made(ratio, np.linspace, 0.0, 1.0, num, endpoint)
    return _spread(lambda n: start * np.exp(np.log(ratio) * n), shares, start, stop, axis)


def _logspace(  # noqa: PLR0913, PLR0917
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    del dtype
    return base ** np.linspace(start, stop, num, endpoint, axis=axis)


def _bincount_vjp(g: Any, _out: Any, x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    del minlength
    return None, None if weights is None else np.take(g, x)


composed("linspace", _linspace)
composed("geomspace", _geomspace)
composed("logspace", _logspace)
transposed("bincount", _bincount_vjp)
