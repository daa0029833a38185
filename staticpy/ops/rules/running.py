"""Rules of running sums and products, of reductions with ``where=`` and ``initial=``, and of the
methods of ufuncs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.rules.arrays import (
    Axes,
    along,
    conj,
    fit,
    flip,
    places,
    recurrence,
    refuse,
    restore,
    scatter_along,
    shape,
)
from staticpy.ops.rules.base import (
    RULES,
    Rule,
    add_up,
    defrule,
    linear,
    rank_of,
    sum_to,
    zeros_like,
)
from staticpy.ops.rules.reduce import others, shifted

# --- along an axis --------------------------------------------------------------------------------


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


# --- reductions with where= and initial= ----------------------------------------------------------

_NAMES = {
    "add.reduce": "sum",
    "multiply.reduce": "prod",
    "maximum.reduce": "max",
    "minimum.reduce": "min",
    "amax": "max",
    "amin": "min",
}
_FLAT = ("any", "all", "count_nonzero", "logical_and.reduce", "logical_or.reduce")


def _masked(values: Any, mask: Any, other: Any) -> Any:
    return values if mask is None else np.where(mask, values, other)


def _sum_parts(_out: Any, x: Any, mask: Any, initial: Any, _axis: Axes, _ddof: Any) -> Any:
    return _masked(np.ones_like(x), mask, 0), None if initial is None else np.ones_like(_out)


def _prod_parts(_out: Any, x: Any, mask: Any, initial: Any, axis: Axes, _ddof: Any) -> Any:
    there = _masked(x, mask, 1)
    by_others = _masked(others(there, axis), mask, 0)
    if initial is None:
        return by_others, None
    return initial * by_others, np.prod(there, axis=axis, keepdims=True)


def _extremum_parts(out: Any, x: Any, mask: Any, initial: Any, axis: Axes, _ddof: Any) -> Any:
    chosen = _masked((x == out).astype(x.dtype), mask, 0)
    total = np.sum(chosen, axis=axis, keepdims=True)
    if initial is None:
        return chosen / total, None
    first = (out == initial).astype(x.dtype)
    return chosen / (total + first), first / (total + first)


def _there(x: Any, mask: Any) -> Any:
    return _masked(np.ones_like(x), mask, 0)


def _mean_parts(_out: Any, x: Any, mask: Any, _initial: Any, axis: Axes, _ddof: Any) -> Any:
    there = _there(x, mask)
    return there / np.sum(there, axis=axis, keepdims=True), None


def _var_parts(_out: Any, x: Any, mask: Any, _initial: Any, axis: Axes, ddof: Any) -> Any:
    there = _there(x, mask)
    count = np.sum(there, axis=axis, keepdims=True)
    mean = np.sum(_masked(x, mask, 0), axis=axis, keepdims=True) / count
    return _masked(2 * conj(x - mean), mask, 0) / np.maximum((count - ddof).real, 0), None


def _std_parts(out: Any, x: Any, mask: Any, initial: Any, axis: Axes, ddof: Any) -> Any:
    return _var_parts(out, x, mask, initial, axis, ddof)[0] / (2 * (out + (out == 0))), None


def _logaddexp_parts(out: Any, x: Any, mask: Any, initial: Any, _axis: Axes, _ddof: Any) -> Any:
    by_initial = None if initial is None else np.exp(initial - out)
    return _masked(np.exp(x - out), mask, 0), by_initial


_PARTS: dict[str, Callable[..., Any]] = {
    "sum": _sum_parts,
    "prod": _prod_parts,
    "max": _extremum_parts,
    "min": _extremum_parts,
    "mean": _mean_parts,
    "var": _var_parts,
    "std": _std_parts,
    "logaddexp.reduce": _logaddexp_parts,
}
"""The partial derivatives by the elements, and by ``initial``, each with the reduced axes kept."""


class _Call:
    """A reduction with what takes part in it."""

    def __init__(self, out: Any, operands: tuple[Any, ...], function: str, attrs: Any) -> None:
        self.x, *rest = operands
        keywords = attrs.get("keywords", ())
        self.given = dict(zip(keywords, rest, strict=True))
        self.axis, self.keepdims = attrs.get("axis"), attrs.get("keepdims", False)
        name = _NAMES.get(function, function)
        is_nan = name.startswith("nan")
        self.x_plain = np.where(np.isnan(self.x), 0, self.x) if is_nan else self.x
        self.mask = self.given.get("where")
        if is_nan:
            there = ~np.isnan(self.x)
            self.mask = there if self.mask is None else np.logical_and(self.mask, there)
        name = name.removeprefix("nan")
        if name not in _PARTS:
            raise refuse(f"np.{function}()", "where")
        initial = self.given.get("initial")
        kept = self.restored(out)
        self.by_x, self.by_initial = _PARTS[name](
            kept, self.x_plain, self.mask, initial, self.axis, attrs.get("ddof", 0)
        )

    def restored(self, g: Any) -> Any:
        return restore(g, self.x, self.axis, self.keepdims)


def _call_reduce_vjp(g: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    if function in _FLAT:
        return (None,) * len(operands)
    made = _Call(out, operands, function, attrs)
    kept = made.restored(g)
    found = {"where": None, "initial": None}
    if made.by_initial is not None:
        initial = made.given["initial"]
        found["initial"] = fit(sum_to(kept * made.by_initial, initial), initial)
    return (fit(kept * made.by_x, made.x), *(found[name] for name in made.given))


def _call_reduce_jvp(tangents: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    if function in _FLAT:
        return None
    made = _Call(out, operands, function, attrs)
    by_name = dict(zip(made.given, tangents[1:], strict=True))
    terms = []
    if tangents[0] is not None:
        moved = tangents[0] * made.by_x
        terms.append(np.sum(moved, axis=made.axis, keepdims=made.keepdims))
    if by_name.get("initial") is not None:
        terms.append(np.reshape(by_name["initial"] * made.by_initial, shape(out)))
    return fit(add_up(terms), out)


defrule("call_reduce", _call_reduce_vjp, _call_reduce_jvp)


# --- methods of ufuncs ----------------------------------------------------------------------------


def _outer_operands(a: Any, b: Any) -> tuple[Any, Any]:
    """The operands of ``f.outer`` such that ``f`` itself broadcasts them."""
    return (a[(..., *(None,) * rank_of(b))] if rank_of(a) and rank_of(b) else a), b


def _outer_vjp(g: Any, out: Any, operands: Any, ufunc: str) -> Any:
    (a, b), rule = operands, _rule_of(ufunc)
    assert rule.vjp is not None
    pair = _outer_operands(a, b)
    found = zip(rule.vjp(g, out, *pair), pair, (a, b), strict=True)
    return tuple(
        None if each is None else fit(np.reshape(sum_to(each, wide), shape(x)), x)
        for each, wide, x in found
    )


def _outer_jvp(tangents: Any, out: Any, operands: Any, ufunc: str) -> Any:
    (a, b), rule = operands, _rule_of(ufunc)
    assert rule.jvp is not None
    left, right = _outer_operands(
        zeros_like(a) if tangents[0] is None else tangents[0],
        zeros_like(b) if tangents[1] is None else tangents[1],
    )
    return fit(rule.jvp((left, right), out, *_outer_operands(a, b)), out)


def _rule_of(ufunc: str) -> Rule:
    """The rule of the op that computes what a ufunc does."""
    rule = RULES.get(UFUNC_OPS[getattr(np, ufunc)].name, Rule())
    if rule.vjp is None:
        raise refuse(f"np.{ufunc}.outer()", "B")
    return rule


_EXTREMA = ("maximum.accumulate", "minimum.accumulate")


def _origins(x: Any, out: Any, axis: int) -> Any:
    """Where each running extremum comes from; of equal elements it is the last."""
    numbers = np.reshape(places(x, axis), (-1, *(1,) * (rank_of(x) - axis - 1)))
    return np.maximum.accumulate(np.where(x == out, numbers, 0), axis=axis)


def _method_vjp(g: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    ufunc, method = function.split(".")
    if method == "outer":
        return _outer_vjp(g, out, operands, ufunc)
    if function == "add.accumulate":
        return (running_sum_vjp(g, operands[0], attrs["axis"]),)
    if function in _EXTREMA:
        origins = _origins(operands[0], out, attrs["axis"])
        return (scatter_along(g, operands[0], origins, attrs["axis"]),)
    if function == "multiply.accumulate":
        return (running_product_vjp(g, out, operands[0], attrs["axis"]),)
    raise refuse(f"np.{function}()", "array")


def _method_jvp(tangents: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    ufunc, method = function.split(".")
    if method == "outer":
        return _outer_jvp(tangents, out, operands, ufunc)
    if function == "add.accumulate":
        return np.cumsum(tangents[0], axis=attrs["axis"])
    if function in _EXTREMA:
        origins = _origins(operands[0], out, attrs["axis"])
        return np.take_along_axis(tangents[0], origins, attrs["axis"])
    if function == "multiply.accumulate":
        return running_product_jvp(tangents[0], out, operands[0], attrs["axis"])
    raise refuse(f"np.{function}()", "array")


defrule("ufunc.method", _method_vjp, _method_jvp)
