"""Rules of reductions with ``where=``, ``initial=`` or ``dtype=``, and of ``np.f.reduce``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import Axes, conj, fit, refuse, restore, shape, taken
from staticpy.ops.rules.base import add_up, defrule, sum_to
from staticpy.ops.rules.reduce import others
from staticpy.ops.rules.ufunc_methods import StepByStep, as_of

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


def _power_parts(power: Callable[..., Any]) -> Callable[..., Any]:
    """The logarithm of a sum of powers. Elements that are the same infinity have equal shares."""

    def share(x: Any, out: Any) -> Any:
        return power(np.where(x == out, 0, x - out))

    def parts(out: Any, x: Any, mask: Any, initial: Any, axis: Axes, _ddof: Any) -> Any:
        shares = _masked(share(x, out), mask, 0)
        total = np.sum(shares, axis=axis, keepdims=True)
        if initial is None:
            return shares / total, None
        first = share(np.zeros_like(out) + initial, out)
        return shares / (total + first), first / (total + first)

    return parts


def _hypot_parts(out: Any, x: Any, mask: Any, initial: Any, _axis: Axes, _ddof: Any) -> Any:
    length = out + (out == 0)
    return _masked(x / length, mask, 0), None if initial is None else initial / length


_PARTS: dict[str, Callable[..., Any]] = {
    "sum": _sum_parts,
    "prod": _prod_parts,
    "max": _extremum_parts,
    "min": _extremum_parts,
    "mean": _mean_parts,
    "var": _var_parts,
    "std": _std_parts,
    "logaddexp.reduce": _power_parts(np.exp),
    "logaddexp2.reduce": _power_parts(np.exp2),
    "hypot.reduce": _hypot_parts,
    "fmax.reduce": _extremum_parts,
    "fmin.reduce": _extremum_parts,
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
        if function.endswith(".reduce") and name != "sum":  # which has a dtype
            self.x_plain = as_of(out, self.x_plain)
        initial = self.given.get("initial")
        kept = self.restored(out)
        parts = _PARTS[name.removeprefix("nan")]
        self.is_choice = parts is _extremum_parts
        self.by_x, self.by_initial = parts(
            kept, self.x_plain, self.mask, initial, self.axis, attrs.get("ddof", 0)
        )

    def restored(self, g: Any) -> Any:
        return restore(g, self.x, self.axis, self.keepdims)

    def moved(self, tangent: Any) -> Any:
        """How far each element moves the result. What doesn't take part counts nothing, be its
        tangent infinite or NaN.
        """
        if self.is_choice:
            return taken(tangent, self.by_x)
        return _masked(tangent, self.mask, 0) * self.by_x


def _goes_by_steps(function: str) -> bool:
    """Whether a reduction has no partial derivatives of a simpler form.

    Raises:
        NoDerivativeError: it is no ``reduce`` of a ufunc either.
    """
    if _NAMES.get(function, function).removeprefix("nan") in _PARTS:
        return False
    if not function.endswith(".reduce"):
        raise refuse(f"np.{function}()", "where")
    return True


def _call_reduce_vjp(g: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    if function in _FLAT:
        return (None,) * len(operands)
    if _goes_by_steps(function):
        return StepByStep(out, operands, function, attrs).pull(g)
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
    if _goes_by_steps(function):
        return StepByStep(out, operands, function, attrs).push(tangents)
    made = _Call(out, operands, function, attrs)
    by_name = dict(zip(made.given, tangents[1:], strict=True))
    terms = []
    if tangents[0] is not None:
        moved = made.moved(tangents[0])
        terms.append(np.sum(moved, axis=made.axis, keepdims=made.keepdims))
    if by_name.get("initial") is not None:
        terms.append(np.reshape(by_name["initial"] * made.by_initial, shape(out)))
    return fit(add_up(terms), out)


defrule("call_reduce", _call_reduce_vjp, _call_reduce_jvp)
