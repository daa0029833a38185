"""Rules of NumPy's library: averages, spreads, quantiles, interpolation."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    Axes,
    axes_of,
    conj,
    count_along,
    root,
    row,
    shape,
)
from staticpy.ops.rules.base import call, is_complex, rank_of
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
        axes = axes_of(axis, a)
        weights = np.transpose(weights, sorted(range(len(axes)), key=axes.__getitem__))
        places = range(rank_of(a))
        weights = weights[tuple(slice(None) if each in axes else None for each in places)]
    total = np.sum(np.broadcast_to(weights, shape(a)), axis=axis, keepdims=keepdims)
    found = np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (found, total) if returned else found


def _rows_of(m: Any, y: Any, rowvar: bool) -> Any:
    """The variables as rows. One row is one variable in ``y``, whatever ``rowvar`` says."""

    def rows(x: Any) -> Any:
        table = np.reshape(x, (1, -1)) if rank_of(x) < 2 else x
        return table if rowvar or rank_of(x) < 2 else table.T

    found = rows(m)
    if y is None:
        return found
    more = rows(y)
    if not rowvar and rank_of(y) == 2:
        more = np.reshape(more, (-1, shape(found)[1]))
    return np.concatenate([found, more])


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
    del dtype, out
    lost = ddof if correction is None else correction
    if mean is None:
        mean = np.mean(a, axis=axis, keepdims=True, where=where)
    moved = a - mean
    squares = (conj(moved) * moved).real if is_complex(moved) else moved * moved
    if where is True:
        degrees = call(max, count_along(a, axis) - lost, 0)
        return np.sum(squares, axis=axis, keepdims=keepdims) / degrees
    there = np.broadcast_to(where, shape(a)).astype(squares.dtype)
    degrees = np.maximum(np.sum(there, axis=axis, keepdims=keepdims) - lost, 0)
    return np.sum(np.where(where, squares, 0), axis=axis, keepdims=keepdims) / degrees


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


def _nanvar(  # noqa: PLR0913
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
    del dtype, out
    lost = ddof if correction is None else correction
    there = _there(a) if where is True else np.logical_and(_there(a), where)
    if mean is None:
        count = np.sum(there.astype(a.dtype), axis=axis, keepdims=True)
        mean = np.sum(np.where(there, a, 0), axis=axis, keepdims=True) / count
    moved = np.where(there, a - mean, 0)
    squares = (conj(moved) * moved).real if is_complex(a) else moved * moved
    total = np.sum(squares, axis=axis, keepdims=keepdims)
    degrees = np.sum(there, axis=axis, keepdims=keepdims) - lost
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
