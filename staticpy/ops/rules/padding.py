"""Rules of ``np.pad``.

What is padded by a constant, or by elements of the array, is moved as it stands. In all other modes
an axis is padded after the other, as NumPy does it, by what is computed of the array as it is then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    along,
    fit,
    flip,
    made,
    places,
    scatter_at,
    shape,
)
from staticpy.ops.rules.base import call, defrule, rank_of, reapply, wants, zeros_like
from staticpy.ops.rules.composed import Composed

Array = Any
Width = tuple[int, int]

_REPEATING = ("edge", "reflect", "symmetric", "wrap")
"""Modes in which what is padded are elements of the array."""
_STATISTICS: dict[str, Any] = {
    "maximum": np.max,
    "minimum": np.min,
    "mean": np.mean,
    "median": np.median,
}
"""Modes in which it is a number for each row of so many elements."""


# --- constants and elements of the array ----------------------------------------------------------


def _inner(x: Any, pad_width: Any) -> Any:
    """The key of what the padding surrounds."""
    pairs = zip(pad_width, shape(x), strict=True)
    return tuple(slice(before, before + size) for (before, _), size in pairs)


def _repeated_vjp(g: Array, x: Array, pad_width: Any, mode: Any) -> Array:
    for axis, width in enumerate(pad_width):
        if width != (0, 0):
            sizes = (*shape(x)[: axis + 1], *shape(g)[axis + 1 :])
            sources = np.pad(places(x, axis), width, mode=mode)
            like = made(g, np.zeros, sizes, g.dtype)
            g = scatter_at(g, like, along(axis, sources))
    return g


def _values_vjp(g: Any, inner: Any, values: Any, pad_width: Any) -> Any:
    """The cotangent of what is padded by: a number, or one for each axis and side."""
    if not wants(values):
        return None
    if not rank_of(values):
        outside = np.pad(np.zeros_like(inner, dtype=bool), pad_width, constant_values=True)
        return fit(np.sum(np.where(outside, g, 0)), values)
    line = np.ravel(values)
    numbers = np.reshape(places(line, 0), shape(values))
    sides = np.broadcast_to(numbers, (rank_of(inner), 2))
    none = np.zeros_like(inner, dtype=np.intp) - 1
    sources = np.pad(none, pad_width, constant_values=sides)
    given = np.where(sources < 0, 0, g)
    found = scatter_at(np.ravel(given), line, np.ravel(np.maximum(sources, 0)))
    return fit(np.reshape(found, shape(values)), values)


# --- what is computed of the array ----------------------------------------------------------------


def _padded(x: Array, pad_width: Any, mode: str, stat_length: Any = None, **_: Any) -> Array:
    """``x`` padded in the other modes; but for the end of a ramp, which is 0."""
    lengths = _pairs(stat_length, len(pad_width))
    for axis, (width, length) in enumerate(zip(pad_width, lengths, strict=True)):
        if width == (0, 0):
            continue
        if mode == "linear_ramp":
            before, behind = _ramp(x, axis, width[0]), _ramp(flip(x, axis), axis, width[1])
            x = np.concatenate([before, x, flip(behind, axis)], axis=axis)
        elif mode in _STATISTICS:
            x = _beside_statistics(x, axis, width, length, mode)
        else:
            x = _turned_about(x, axis, width, mode)
    return x


def _pairs(stat_length: Any, count: int) -> Any:
    """A length, or None, for each side of each axis, as NumPy reads them."""
    if stat_length is None:
        return ((None, None),) * count
    lengths = np.round(np.array(stat_length)).astype(np.intp)
    return np.broadcast_to(lengths, (count, 2)).tolist()


def _ramp(x: Array, axis: int, width: int) -> Array:
    """Numbers at equal steps from 0 to the first one along an axis, which is not among them."""
    shares = made(x, np.arange, width) / max(width, 1)
    shares = np.reshape(shares, (-1, *(1,) * (rank_of(x) - axis - 1)))
    return x[along(axis, slice(0, 1))] * shares.astype(x.dtype)


def _beside_statistics(x: Array, axis: int, width: Width, lengths: Any, mode: str) -> Array:
    found = []
    for side, count, size in zip((x, flip(x, axis)), lengths, width, strict=True):
        part = side[along(axis, slice(None, count))]
        number = _STATISTICS[mode](part, axis=axis, keepdims=True)
        found.append(np.broadcast_to(number, (*shape(x)[:axis], size, *shape(x)[axis + 1 :])))
    return np.concatenate([found[0], x, found[1]], axis=axis)


def _turned_about(x: Array, axis: int, width: Width, mode: Any) -> Array:
    """``reflect_type="odd"``: what is reflected is turned about the edge, ``2 * edge - x``. So each
    period goes on where the last one ended, and every other one is turned round.
    """
    size, sources = shape(x)[axis], np.pad(places(x, axis), width, mode=mode)
    period = call(max, size - 1, 1) if mode == "reflect" else size
    numbers = places(sources, 0) - width[0]
    periods = np.reshape(numbers // period, (-1, *(1,) * (rank_of(x) - axis - 1)))
    odd = periods % 2
    first, last = x[along(axis, slice(0, 1))], x[along(axis, slice(-1, None))]
    found = np.take(x, sources, axis=axis) * (1 - 2 * odd).astype(x.dtype)
    return found + last * (odd + periods).astype(x.dtype) + first * (odd - periods).astype(x.dtype)


# --- the op ---------------------------------------------------------------------------------------


def _is_computed(mode: str, more: Any) -> bool:
    return mode == "linear_ramp" or mode in _STATISTICS or more.get("reflect_type") == "odd"


def _pad_vjp(
    g: Any, _out: Any, x: Any, *values: Any, pad_width: Any, mode: str = "constant", **more: Any
) -> Any:
    if _is_computed(mode, more):
        return tuple(Composed(lambda x: _padded(x, pad_width, mode, **more), [x]).pull([g], [0]))
    if mode in _REPEATING:
        return (_repeated_vjp(g, x, pad_width, mode),)
    inner = g[_inner(x, pad_width)]
    return (inner, *(_values_vjp(g, inner, each, pad_width) for each in values))


def _pad_jvp(
    tangents: Any,
    _out: Any,
    x: Any,
    *values: Any,
    pad_width: Any,
    mode: str = "constant",
    **more: Any,
) -> Any:
    if _is_computed(mode, more):
        return Composed(lambda x: _padded(x, pad_width, mode, **more), [x]).push(tangents)[0]
    t = zeros_like(x) if tangents[0] is None else tangents[0]
    attrs = {"mode": mode} if mode in _REPEATING else {}
    by_values = tangents[1] if values else None
    given = () if by_values is None else (by_values,)
    return reapply("pad", t, *given, pad_width=pad_width, **attrs)


defrule("pad", _pad_vjp, _pad_jvp)
