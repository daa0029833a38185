"""Rules of reading and choosing elements: ``x[...]``, ``take``, ``where``, ``clip``, sorting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops import last_written  # noqa: F401 - it enters its op
from staticpy.ops.apply import apply
from staticpy.ops.rules.arrays import along, fit, scatter_along, scatter_at, shape
from staticpy.ops.rules.base import (
    add_up,
    defrule,
    flat,
    is_complex,
    kind_of,
    rank_of,
    reapply,
    wants,
    zeros_like,
)
from staticpy.ops.scatter_add import scatter_add as scatter_add_op
from staticpy.ops.traced import trace, untrace

flat(
    "argpartition",
    "argsort",
    "argwhere",
    "array_equal",
    "array_equiv",
    "allclose",
    "flatnonzero",
    "isclose",
    "last_written",
    "nonzero",
    "object.shares_memory",
    "round",
    "searchsorted",
)


# --- x[...] ---------------------------------------------------------------------------------------


def _index_vjp(g: Any, _out: Any, x: Any, *more: Any, spec: Any) -> Any:
    found = trace(apply(scatter_add_op, *map(untrace, (g, x, *more)), spec=spec))
    return (found, *(None,) * len(more))


def _index_jvp(tangents: Any, _out: Any, _x: Any, *more: Any, spec: Any) -> Any:
    return reapply("index", tangents[0], *more, spec=spec)


def _flat_vjp(g: Any, _out: Any, x: Any, *more: Any, spec: Any) -> Any:
    found = _index_vjp(g, None, np.ravel(x), *more, spec=spec)[0]
    return (np.reshape(found, shape(x)), *(None,) * len(more))


def _flat_jvp(tangents: Any, _out: Any, _x: Any, *more: Any, spec: Any) -> Any:
    return reapply("flat.getitem", tangents[0], *more, spec=spec)


def _scatter_vjp(g: Any, _out: Any, added: Any, _like: Any, *more: Any, spec: Any) -> Any:
    return (fit(reapply("index", g, *more, spec=spec), added), *(None,) * (1 + len(more)))


def _scatter_jvp(tangents: Any, _out: Any, _added: Any, like: Any, *more: Any, spec: Any) -> Any:
    if tangents[0] is None:
        return None
    return reapply("scatter_add", tangents[0], like, *more, spec=spec)


defrule("index", _index_vjp, _index_jvp)
defrule("flat.getitem", _flat_vjp, _flat_jvp)
defrule("scatter_add", _scatter_vjp, _scatter_jvp)


# --- take -----------------------------------------------------------------------------------------


def _in_range(indices: Any, size: Any, mode: str) -> Any:
    """Indices as ``x[...]`` takes them, where bools would be a mask."""
    indices = indices * 1 if kind_of(indices) == "b" else indices
    if mode == "wrap":
        return indices % size
    return np.clip(indices, 0, size - 1) if mode == "clip" else indices


def _take_vjp(
    g: Any, _out: Any, x: Any, indices: Any, *, axis: int | None = None, mode: str = "raise"
) -> Any:
    row, place = (np.ravel(x), 0) if axis is None or not rank_of(x) else (x, axis)
    found = scatter_at(g, row, along(place, _in_range(indices, shape(row)[place], mode)))
    return fit(found if row is x else np.reshape(found, shape(x)), x), None


def _take_jvp(tangents: Any, _out: Any, _x: Any, indices: Any, **attrs: Any) -> Any:
    return None if tangents[0] is None else reapply("take", tangents[0], indices, **attrs)


def _take_along_vjp(g: Any, _out: Any, x: Any, indices: Any, *, axis: int | None) -> Any:
    if axis is not None:
        return scatter_along(g, x, indices, axis), None
    return np.reshape(scatter_at(g, np.ravel(x), indices), shape(x)), None


def _take_along_jvp(tangents: Any, _out: Any, _x: Any, indices: Any, **attrs: Any) -> Any:
    if tangents[0] is None:
        return None
    return reapply("take_along_axis", tangents[0], indices, **attrs)


defrule("take", _take_vjp, _take_jvp)
defrule("take_along_axis", _take_along_vjp, _take_along_jvp)


# --- where and clip -------------------------------------------------------------------------------


def _where_vjp(g: Any, _out: Any, condition: Any, left: Any, right: Any) -> Any:
    return None, fit(np.where(condition, g, 0), left), fit(np.where(condition, 0, g), right)


def _where_jvp(tangents: Any, _out: Any, condition: Any, left: Any, right: Any) -> Any:
    _, by_left, by_right = tangents
    if by_left is None and by_right is None:
        return None
    return np.where(
        condition,
        zeros_like(left) if by_left is None else by_left,
        zeros_like(right) if by_right is None else by_right,
    )


def _above(x: Any, low: Any) -> Any:
    """2 where ``x`` is greater, 1 where it is equal, else 0."""
    return (x > low).astype(x.dtype) + (x >= low).astype(x.dtype)


def _clip_weights(x: Any, low: Any, high: Any) -> list[Callable[[], Any]]:
    """The partial derivatives of ``minimum(maximum(x, low), high)``; equals share. Each is computed
    where it is asked for.
    """
    above, below = _above(x, low), _above(high, np.maximum(x, low))
    return [
        lambda: above * below * 0.25,
        lambda: (2 - above) * below * 0.25,
        lambda: (2 - below) * 0.5,
    ]


def _clip_vjp(g: Any, _out: Any, *operands: Any) -> Any:
    pairs = zip(operands, _clip_weights(*operands), strict=True)
    return tuple(g * weight() if wants(x) else None for x, weight in pairs)


def _clip_jvp(tangents: Any, _out: Any, *operands: Any) -> Any:
    pairs = zip(tangents, _clip_weights(*operands), strict=True)
    return add_up([t * weight() for t, weight in pairs if t is not None])


defrule("where", _where_vjp, _where_jvp)
defrule("clip", _clip_vjp, _clip_jvp)


# --- sorting: a permutation along an axis ---------------------------------------------------------


def _origins(x: Any, out: Any, axis: int) -> Any:
    """Where each element of ``out``, a permutation of ``x``, comes from.

    Found by sorting both: what ``argpartition`` says need not be what ``partition`` has done.
    """
    of_x = np.argsort(x, axis=axis, kind="stable")
    if out is None:
        return of_x
    of_out = np.argsort(out, axis=axis, kind="stable")
    return np.take_along_axis(of_x, np.argsort(of_out, axis=axis), axis)


def _permutation(name: str, is_sorted: Callable[[Any], bool]) -> None:
    def vjp(g: Any, out: Any, x: Any, *, axis: int | None = -1, **more: Any) -> Any:
        whole = axis is None or not rank_of(x)
        row, place = (np.ravel(x), 0) if whole else (x, axis % rank_of(x))  # type: ignore[operator]
        origins = _origins(row, None if is_sorted(more) else out, place)
        found = np.take_along_axis(g, np.argsort(origins, axis=place), place)
        return (fit(np.reshape(found, shape(x)), x) if whole else found,)

    def jvp(tangents: Any, out: Any, x: Any, *, axis: int | None = -1, **more: Any) -> Any:
        whole = axis is None or not rank_of(x)
        row, t = (np.ravel(x), np.ravel(tangents[0])) if whole else (x, tangents[0])
        place = 0 if whole else axis % rank_of(x)  # type: ignore[operator]
        origins = _origins(row, None if is_sorted(more) else out, place)
        return np.take_along_axis(t, origins, place)

    defrule(name, vjp, jvp)


_permutation("sort", lambda attrs: not attrs.get("descending"))
_permutation("partition", lambda _attrs: False)


def _unique_source(x: Any, axis: int | None) -> Any:
    """The place of the first of each."""
    return np.unique(x, return_index=True, axis=axis)[1]


def _first(items: Any) -> Any:
    return items[0] if isinstance(items, tuple) else items


def _unique_vjp(g: Any, _out: Any, x: Any, *, axis: int | None = None, **_: Any) -> Any:
    if _first(g) is None:
        return (None,)
    return (_take_vjp(_first(g), None, x, _unique_source(x, axis), axis=axis)[0],)


def _unique_jvp(tangents: Any, out: Any, x: Any, *, axis: int | None = None, **_: Any) -> Any:
    found = np.take(tangents[0], _unique_source(x, axis), axis=axis)
    return (found, *(None,) * (len(out) - 1)) if isinstance(out, tuple) else found


defrule("unique", _unique_vjp, _unique_jvp)


# --- complex parts --------------------------------------------------------------------------------


def _real_vjp(g: Any, _out: Any, x: Any) -> Any:
    return (fit(g, x),)


def _imag_vjp(g: Any, _out: Any, x: Any) -> Any:
    return (fit(g * -1j, x) if is_complex(x) else None,)


def _real_jvp(tangents: Any, _out: Any, _x: Any) -> Any:
    return np.real(tangents[0])


def _imag_jvp(tangents: Any, _out: Any, x: Any) -> Any:
    return np.imag(tangents[0]) if is_complex(x) else None


def _angle_vjp(g: Any, _out: Any, x: Any, *, deg: bool = False) -> Any:
    """``angle`` is ``Im(log(x))``."""
    if not is_complex(x):
        return (None,)
    return (fit((float(np.rad2deg(1.0)) * g if deg else g) * (-1j / x), x),)


def _angle_jvp(tangents: Any, out: Any, x: Any, *, deg: bool = False) -> Any:
    if not is_complex(x):
        return None
    found = np.imag(tangents[0] / x)
    return fit(float(np.rad2deg(1.0)) * found if deg else found, out)


defrule("real", _real_vjp, _real_jvp)
defrule("imag", _imag_vjp, _imag_jvp)
defrule("angle", _angle_vjp, _angle_jvp)
