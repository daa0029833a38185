"""Rules of reductions and running sums.

Where several elements are the extremum, each gets an equal share of the cotangent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    Axes,
    along,
    axes_of,
    conj,
    count_along,
    fit,
    flip,
    product,
    real_if,
    restore,
    shape,
    spread,
    taken,
)
from staticpy.ops.rules.base import call, defrule, flat, linear, rank_of

flat("all", "any", "argmin", "argmax", "count_nonzero")


# --- sums and means -------------------------------------------------------------------------------


def _sum_vjp(
    g: Any, _out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, **_: Any
) -> Any:
    return (spread(g, x, axis, keepdims),)


def _mean_vjp(
    g: Any, _out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, **_: Any
) -> Any:
    return (spread(g / count_along(x, axis), x, axis, keepdims),)


linear("sum", _sum_vjp)
linear("mean", _mean_vjp)


# --- spreads: var(x) = sum(|x - mean(x)|²) / (n - ddof) -------------------------------------------


def deviation(x: Any, axis: Axes) -> Any:
    """``x - mean(x)``."""
    return x - np.mean(x, axis=axis, keepdims=True)


def _degrees(x: Any, axis: Axes, ddof: Any) -> Any:
    """What the sum of squares is divided by, as NumPy has it: never negative."""
    return call(max, count_along(x, axis) - ddof, 0) if ddof else count_along(x, axis)


def _spread_vjp(g: Any, x: Any, axis: Axes, keepdims: bool, factor: Any) -> Any:
    scaled = restore(g / factor, x, axis, keepdims)
    return (fit(conj(deviation(x, axis)) * scaled, x),)


def _spread_jvp(t: Any, x: Any, axis: Axes, keepdims: bool) -> Any:
    moved = real_if(True, conj(deviation(x, axis)) * t)
    return np.sum(moved, axis=axis, keepdims=keepdims)


def _var_vjp(
    g: Any, _out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, ddof: Any = 0, **_: Any
) -> Any:
    return _spread_vjp(2 * g, x, axis, keepdims, _degrees(x, axis, ddof))


def _var_jvp(
    tangents: Any,
    out: Any,
    x: Any,
    *,
    axis: Axes = None,
    keepdims: bool = False,
    ddof: Any = 0,
    **_: Any,
) -> Any:
    moved = _spread_jvp(tangents[0], x, axis, keepdims)
    return fit(2 * moved / _degrees(x, axis, ddof), out)


def _not_zero(out: Any) -> Any:
    """A standard deviation to divide by. Where it is 0, so is its derivative."""
    return out + (out == 0)


def _std_vjp(
    g: Any, out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, ddof: Any = 0, **_: Any
) -> Any:
    return _spread_vjp(g / _not_zero(out), x, axis, keepdims, _degrees(x, axis, ddof))


def _std_jvp(
    tangents: Any,
    out: Any,
    x: Any,
    *,
    axis: Axes = None,
    keepdims: bool = False,
    ddof: Any = 0,
    **_: Any,
) -> Any:
    moved = _spread_jvp(tangents[0], x, axis, keepdims)
    return fit(moved / (_not_zero(out) * _degrees(x, axis, ddof)), out)


defrule("var", _var_vjp, _var_jvp)
defrule("std", _std_vjp, _std_jvp)


# --- reductions by weights: the derivative is a weight for each element ---------------------------

Weights = Callable[..., Any]
"""``weights(out, x, axis)``: the partial derivatives of a reduction; ``out`` keeps its axes."""


def _by_weights(tangent: Any, weights: Any, _x: Any) -> Any:
    return tangent * weights


def _where_chosen(tangent: Any, weights: Any, _x: Any) -> Any:
    return taken(tangent, weights)


def _without_nan(tangent: Any, weights: Any, x: Any) -> Any:
    return np.where(np.isnan(x), 0, tangent) * weights


def weighted(
    name: str, weights: Weights, moved_by: Callable[[Any, Any, Any], Any] = _by_weights
) -> None:
    """A reduction, holomorphic (or real), by its partial derivatives. ``moved_by(tangent, weights,
    x)`` says how far each element moves it.
    """

    def vjp(
        g: Any, out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, **_: Any
    ) -> Any:
        kept = restore(out, x, axis, keepdims)
        return (fit(restore(g, x, axis, keepdims) * weights(kept, x, axis), x),)

    def jvp(
        tangents: Any, out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, **_: Any
    ) -> Any:
        kept = restore(out, x, axis, keepdims)
        moved = moved_by(tangents[0], weights(kept, x, axis), x)
        return fit(np.sum(moved, axis=axis, keepdims=keepdims), out)

    defrule(name, vjp, jvp)


def _shares(extremum: Any, x: Any, axis: Axes) -> Any:
    """For each element its share in the extremum."""
    chosen, count = _chosen(extremum, x, axis)
    return chosen / count


def _chosen(extremum: Any, x: Any, axis: Axes) -> tuple[Any, Any]:
    """1 for each element that is the extremum, else 0; and how many there are."""
    chosen = (x == extremum).astype(x.dtype)
    return chosen, np.sum(chosen, axis=axis, keepdims=True)


def _extremum(name: str) -> None:
    """Elements that are the extremum share its cotangent equally."""

    def vjp(
        g: Any, out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, **_: Any
    ) -> Any:
        chosen, count = _chosen(restore(out, x, axis, keepdims), x, axis)
        return (fit(chosen * (restore(g, x, axis, keepdims) / count), x),)

    def jvp(
        tangents: Any, out: Any, x: Any, *, axis: Axes = None, keepdims: bool = False, **_: Any
    ) -> Any:
        chosen, count = _chosen(restore(out, x, axis, keepdims), x, axis)
        moved = np.sum(taken(tangents[0], chosen), axis=axis, keepdims=True) / count
        return fit(np.reshape(moved, shape(out)), out)

    defrule(name, vjp, jvp)


def _ptp_weights(_out: Any, x: Any, axis: Axes) -> Any:
    high, low = (f(x, axis=axis, keepdims=True) for f in (np.max, np.min))
    return _shares(high, x, axis) - _shares(low, x, axis)


def _one_where_nan(x: Any) -> Any:
    return np.where(np.isnan(x), 1, x)


def _nanmean_weights(_out: Any, x: Any, axis: Axes) -> Any:
    there = (~np.isnan(x)).astype(x.dtype)
    return there / np.sum(there, axis=axis, keepdims=True)


def others(x: Any, axis: Axes) -> Any:
    """For each element the product of all others that it is multiplied with, without a division:
    the product of what stands before it, times that of what stands behind.
    """
    axes = axes_of(axis, x)
    if not axes:
        return np.ones_like(x)
    if len(axes) == 1:
        return _before(x, axes[0]) * flip(_before(flip(x, axes[0]), axes[0]), axes[0])
    kept = tuple(each for each in range(rank_of(x)) if each not in axes)
    moved = np.transpose(x, (*kept, *axes))
    sizes = shape(moved)
    rows = np.reshape(moved, (*sizes[: len(kept)], product(sizes[len(kept) :])))
    found = np.reshape(others(rows, len(kept)), sizes)
    return np.transpose(found, np.argsort((*kept, *axes)).tolist())


def _before(x: Any, axis: int) -> Any:
    """The running product, without the element itself."""
    return np.cumprod(shifted(x, axis, np.ones_like(x[along(axis, slice(0, 1))])), axis=axis)


def shifted(x: Any, axis: int, first: Any) -> Any:
    """Each element moved one place on, behind ``first``; the last one is left out."""
    return np.concatenate([first, x[along(axis, slice(None, -1))]], axis=axis)


weighted("prod", lambda _out, x, axis: others(x, axis))
for _name in ("min", "max", "nanmin", "nanmax"):
    _extremum(_name)
weighted("ptp", _ptp_weights, _where_chosen)
weighted("nansum", lambda _out, x, axis: (~np.isnan(x)).astype(x.dtype), _without_nan)
weighted("nanmean", _nanmean_weights, _without_nan)
weighted(
    "nanprod",
    lambda _out, x, axis: np.where(np.isnan(x), 0, others(_one_where_nan(x), axis)),
    _without_nan,
)
