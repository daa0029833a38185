"""Rules of running sums and products, and of ``recurrence``."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import along, fit, flip, recurrence, shape
from staticpy.ops.rules.base import add_up, defrule, linear, rank_of
from staticpy.ops.rules.reduce import shifted


def _row(x: Any, axis: int | None) -> tuple[Any, int]:
    """``x`` as what the running sum goes along, and its axis; without an axis it is one row."""
    if axis is None or not rank_of(x):
        return np.ravel(x), 0
    return x, axis % rank_of(x)


def running_sum_vjp(g: Any, x: Any, axis: int | None) -> Any:
    """The sums of what comes at an element and behind it."""
    place = 0 if axis is None or not rank_of(x) else axis % rank_of(x)
    back = flip(np.cumsum(flip(g, place), axis=place), place)
    return fit(np.reshape(back, shape(x)) if axis is None or not rank_of(x) else back, x)


def _cumsum_vjp(g: Any, _out: Any, x: Any, *, axis: int | None = None, **_: Any) -> Any:
    return (running_sum_vjp(g, x, axis),)


linear("cumsum", _cumsum_vjp)


def _before(out: Any, axis: int) -> Any:
    """What stands before each element of a running product."""
    return shifted(out, axis, np.ones_like(out[along(axis, slice(0, 1))]))


def running_product_vjp(g: Any, out: Any, x: Any, axis: int | None) -> Any:
    """``s[i] = g[i] + x[i + 1] s[i + 1]`` is all that comes back to ``out[i]``."""
    row, place = _row(x, axis)
    row = row.astype(out.dtype) if row.dtype != out.dtype else row
    back = flip(row, place)
    moved = shifted(back, place, np.zeros_like(back[along(place, slice(0, 1))]))
    total = flip(recurrence(moved, flip(g, place), place), place)
    return fit(np.reshape(total * _before(out, place), shape(x)), x)


def running_product_jvp(t: Any, out: Any, x: Any, axis: int | None) -> Any:
    """``out'[i] = x[i] out'[i - 1] + t[i] out[i - 1]``."""
    row, place = _row(x, axis)
    row = row.astype(out.dtype) if row.dtype != out.dtype else row
    return recurrence(row, _row(t, axis)[0] * _before(out, place), place)


def _cumprod_vjp(g: Any, out: Any, x: Any, *, axis: int | None = None, **_: Any) -> Any:
    return (running_product_vjp(g, out, x, axis),)


def _cumprod_jvp(tangents: Any, out: Any, x: Any, *, axis: int | None = None, **_: Any) -> Any:
    return running_product_jvp(tangents[0], out, x, axis)


defrule("cumprod", _cumprod_vjp, _cumprod_jvp)


def _last(out: Any, axis: int) -> Any:
    """The number before each of a recurrence: none before the first."""
    return shifted(out, axis, np.zeros_like(out[along(axis, slice(0, 1))]))


def _recurrence_vjp(g: Any, out: Any, factors: Any, _terms: Any, *, axis: int) -> Any:
    back = flip(factors, axis)
    moved = shifted(back, axis, np.zeros_like(back[along(axis, slice(0, 1))]))
    total = flip(recurrence(moved, flip(g, axis), axis), axis)
    return total * _last(out, axis), total


def _recurrence_jvp(tangents: Any, out: Any, factors: Any, _terms: Any, *, axis: int) -> Any:
    by_factors, by_terms = tangents
    terms = [] if by_factors is None else [by_factors * _last(out, axis)]
    terms += [] if by_terms is None else [by_terms]
    return recurrence(factors, add_up(terms), axis)


defrule("recurrence", _recurrence_vjp, _recurrence_jvp)
