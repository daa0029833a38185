"""Rules of the methods of ufuncs: ``outer``, ``accumulate``, ``reduceat``, and of a ``reduce`` that
goes along an axis step by step.

The steps are ``y[0] = x[0]`` and ``y[i] = f(y[i - 1], x[i])``, so that a tangent is a recurrence of
the partial derivatives of ``f``. A ``reduceat`` puts together the elements of segments, which may
overlap: they are gathered, segment behind segment, and each has a weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from staticpy.ir import UnionType
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.rules.arrays import (
    along,
    fit,
    flip,
    made,
    places,
    recurrence,
    refuse,
    scatter_along,
    scatter_at,
    shape,
)
from staticpy.ops.rules.base import (
    RULES,
    NoDerivativeError,
    Rule,
    defrule,
    rank_of,
    sum_to,
    wants,
    zeros_like,
)
from staticpy.ops.rules.composed import Composed
from staticpy.ops.rules.reduce import shifted
from staticpy.ops.rules.running import running_product_jvp, running_product_vjp, running_sum_vjp
from staticpy.ops.traced import traced_type

Array = Any


def _rule_of(ufunc: str, method: str, argument: str) -> Rule:
    """The rule of the op that computes what a ufunc does."""
    rule = RULES.get(UFUNC_OPS[getattr(np, ufunc)].name, Rule())
    if rule.vjp is None:
        raise refuse(f"np.{ufunc}.{method}()", argument)
    return rule


# --- outer ----------------------------------------------------------------------------------------


def _outer_operands(a: Any, b: Any) -> tuple[Any, Any]:
    """The operands of ``f.outer`` such that ``f`` itself broadcasts them."""
    return (a[(..., *(None,) * rank_of(b))] if rank_of(a) and rank_of(b) else a), b


def _outer_vjp(g: Any, out: Any, operands: Any, ufunc: str) -> Any:
    (a, b), rule = operands, _rule_of(ufunc, "outer", "B")
    assert rule.vjp is not None
    pair = _outer_operands(a, b)
    found = zip(rule.vjp(g, out, *pair), pair, (a, b), strict=True)
    return tuple(
        None if each is None else fit(np.reshape(sum_to(each, wide), shape(x)), x)
        for each, wide, x in found
    )


def _outer_jvp(tangents: Any, out: Any, operands: Any, ufunc: str) -> Any:
    (a, b), rule = operands, _rule_of(ufunc, "outer", "B")
    assert rule.jvp is not None
    left, right = _outer_operands(
        zeros_like(a) if tangents[0] is None else tangents[0],
        zeros_like(b) if tangents[1] is None else tangents[1],
    )
    found = rule.jvp((left, right), out, *_outer_operands(a, b))
    return None if found is None else fit(found, out)


# --- step by step ---------------------------------------------------------------------------------


def as_of(out: Any, x: Any) -> Any:
    """``x`` in the dtype in which the result is computed.

    Raises:
        NoDerivativeError: that is known only when it runs.
    """
    if isinstance(traced_type(out), UnionType):
        raise NoDerivativeError("there is no derivative of what has one of several dtypes")
    return x.astype(out.dtype) if x.dtype != out.dtype else x


def _steps(x: Array, out: Array, axis: int, ufunc: str) -> tuple[Array, Array]:
    """The partial derivatives of each step by the result before it, and by its own element."""
    rule = _rule_of(ufunc, "accumulate", "array")
    assert rule.jvp is not None
    before, here = out[along(axis, slice(None, -1))], out[along(axis, slice(1, None))]
    own, first = x[along(axis, slice(1, None))], x[along(axis, slice(0, 1))]
    one = np.ones_like(here)
    found = (rule.jvp(given, here, before, own) for given in ((one, None), (None, one)))
    partials = [np.zeros_like(here) if each is None else each for each in found]
    ends = (np.zeros_like(first), np.ones_like(first))
    by_before, by_own = (
        np.concatenate([end, each], axis=axis) for end, each in zip(ends, partials, strict=True)
    )
    return by_before, by_own


def _accumulate_vjp(g: Any, out: Any, x: Any, axis: int, ufunc: str) -> Any:
    """``s[i] = g[i] + by_before[i + 1] s[i + 1]`` is all that comes back to ``out[i]``."""
    by_before, by_own = _steps(as_of(out, x), out, axis, ufunc)
    back = flip(by_before, axis)
    moved = shifted(back, axis, np.zeros_like(back[along(axis, slice(0, 1))]))
    return fit(flip(recurrence(moved, flip(g, axis), axis), axis) * by_own, x)


def _accumulate_jvp(t: Any, out: Any, x: Any, axis: int, ufunc: str) -> Any:
    by_before, by_own = _steps(as_of(out, x), out, axis, ufunc)
    return recurrence(by_before, as_of(out, t) * by_own, axis)


_NOT_BY_STEPS = ("power.reduce", "arctan2.reduce")
"""Their vectorized loops (NumPy 2.4, AVX-512) don't read what they have written."""


class StepByStep:
    """``np.f.reduce(x, axis, initial=…)`` as the last of its steps."""

    def __init__(self, out: Any, operands: tuple[Any, ...], function: str, attrs: Any) -> None:
        self.out, self.names = out, attrs.get("keywords", ())
        axis = attrs.get("axis")
        axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
        if not isinstance(axis, int) or "where" in self.names:
            raise refuse(f"np.{function}()", "axis" if not isinstance(axis, int) else "where")
        if function in _NOT_BY_STEPS:
            reason = "on some machines NumPy reads no more than the first and the last element: "
            way_out = f"take np.{function.removesuffix('reduce')}accumulate(x)[-1], which takes all"
            raise NoDerivativeError(f"np.{function}() has no derivative: {reason}{way_out}")
        self.axis, self.keepdims = axis, attrs.get("keepdims", False)
        self.ufunc = getattr(np, function.removesuffix(".reduce"))
        self.operands = operands
        self.made = Composed(self._last, operands)

    def _last(self, x: Any, *initial: Any) -> Any:
        x = as_of(self.out, x)
        if not rank_of(x):
            return self.ufunc(*initial, x) if initial else +x
        if initial:
            sizes = [*shape(x)]
            sizes[self.axis] = 1
            x = np.concatenate([made(x, np.full, tuple(sizes), initial[0]), x], axis=self.axis)
        found = self.ufunc.accumulate(x, axis=self.axis)[along(self.axis, -1)]
        return np.expand_dims(found, self.axis) if self.keepdims else found

    def pull(self, g: Any) -> tuple[Any, ...]:
        """The cotangents of the operands."""
        moving = [at for at, x in enumerate(self.operands) if wants(x)]
        found = dict(zip(moving, self.made.pull((g,), moving), strict=True))
        return tuple(found.get(at) for at in range(len(self.operands)))

    def push(self, tangents: Any) -> Any:
        """The tangent of the result."""
        (found,) = self.made.push(tangents)
        return None if found is None else fit(found, self.out)


# --- reduceat -------------------------------------------------------------------------------------


class _Segments(NamedTuple):
    """The elements of all segments, one segment behind the other, along an axis: where each comes
    from, to which segment it belongs, and where each segment starts.
    """

    places: Array
    numbers: Array
    starts: Array
    axis: int

    def gather(self, x: Array) -> Array:
        """The elements of all segments."""
        return np.take(x, self.places, axis=self.axis)

    def spread(self, g: Array) -> Array:
        """What belongs to a segment, for each of its elements."""
        return np.take(g, self.numbers, axis=self.axis)

    def total(self, x: Array) -> Array:
        """The sum of each segment."""
        return np.add.reduceat(x, self.starts, axis=self.axis)

    def ends(self, x: Array) -> tuple[Array, Array]:
        """0 for the first element of each segment, and for the last, else 1; such that ``x`` may
        be multiplied by it.
        """
        inside = (self.numbers[1:] == self.numbers[:-1]).astype(x.dtype)
        edge = np.zeros_like(self.numbers[:1]).astype(x.dtype)
        sizes = (-1, *(1,) * (rank_of(x) - self.axis - 1))
        first, last = np.concatenate([edge, inside]), np.concatenate([inside, edge])
        return np.reshape(first, sizes), np.reshape(last, sizes)


def _segments(x: Array, indices: Array, axis: int) -> _Segments:
    """One that does not end behind its start has one element."""
    size = made(indices, np.full, 1, shape(x)[axis])
    sizes = np.maximum(np.concatenate([indices[1:], size]) - indices, 1)
    starts = np.cumsum(sizes) - sizes
    numbers = np.repeat(places(indices, 0), sizes)
    return _Segments(places(numbers, 0) - (starts - indices)[numbers], numbers, starts, axis)


def _products(rows: Array, _: Array, at: _Segments) -> Array:
    """For each element the product of the others in its segment."""
    first, last = at.ends(rows)
    ahead = shifted(rows, at.axis, rows[along(at.axis, slice(0, 1))]) * first
    back = flip(rows, at.axis)
    behind = shifted(back, at.axis, back[along(at.axis, slice(0, 1))]) * flip(last, 0)
    after = recurrence(behind, np.zeros_like(rows) + (1 - flip(last, 0)), at.axis)
    return recurrence(ahead, np.zeros_like(rows) + (1 - first), at.axis) * flip(after, at.axis)


def _shares(rows: Array, chosen: Array, at: _Segments) -> Array:
    weights = chosen.astype(rows.dtype)
    return weights / at.spread(at.total(weights))


_WEIGHTS: dict[str, Callable[[Array, Array, _Segments], Array]] = {
    "add": lambda rows, _, at: np.ones_like(rows),
    "subtract": lambda rows, _, at: np.zeros_like(rows) + (1 - 2 * at.ends(rows)[0]),
    "multiply": _products,
    **dict.fromkeys(
        ("maximum", "minimum", "fmax", "fmin"), lambda rows, out, at: _shares(rows, rows == out, at)
    ),
    "logaddexp": lambda rows, out, at: _shares(
        rows, np.exp(np.where(rows == out, 0, rows - out)), at
    ),
    "logaddexp2": lambda rows, out, at: _shares(
        rows, np.exp2(np.where(rows == out, 0, rows - out)), at
    ),
    "hypot": lambda rows, out, at: rows / (out + (out == 0)),
}
"""``weights(rows, out, segments)``: the derivative by each element of the segments; ``out`` is the
result for each of them.
"""


def _weights(out: Array, x: Array, indices: Array, axis: int, ufunc: str) -> Any:
    if ufunc not in _WEIGHTS:
        raise refuse(f"np.{ufunc}.reduceat()", "array")
    at = _segments(x, indices, axis)
    return at, _WEIGHTS[ufunc](at.gather(as_of(out, x)), at.spread(out), at)


def _reduceat_vjp(g: Any, out: Any, x: Any, indices: Any, axis: int, ufunc: str) -> Any:
    at, weights = _weights(out, x, indices, axis, ufunc)
    return fit(scatter_at(at.spread(g) * weights, x, along(axis, at.places)), x)


def _reduceat_jvp(t: Any, out: Any, x: Any, indices: Any, axis: int, ufunc: str) -> Any:
    at, weights = _weights(out, x, indices, axis, ufunc)
    return at.total(at.gather(as_of(out, t)) * weights)


# --- the op ---------------------------------------------------------------------------------------

_EXTREMA = ("maximum.accumulate", "minimum.accumulate")


def _origins(x: Any, out: Any, axis: int) -> Any:
    """Where each running extremum comes from; of equal elements it is the last."""
    numbers = np.reshape(places(x, axis), (-1, *(1,) * (rank_of(x) - axis - 1)))
    return np.maximum.accumulate(np.where(x == out, numbers, 0), axis=axis)


def _method_vjp(g: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    (ufunc, method), x = function.split("."), operands[0]
    if method == "outer":
        return _outer_vjp(g, out, operands, ufunc)
    axis = attrs["axis"] or 0  # None is that of a row
    if method == "reduceat":
        return _reduceat_vjp(g, out, x, operands[1], axis, ufunc), None
    if function == "add.accumulate":
        return (running_sum_vjp(g, x, axis),)
    if function in _EXTREMA:
        return (fit(scatter_along(g, x, _origins(as_of(out, x), out, axis), axis), x),)
    if function == "multiply.accumulate":
        return (running_product_vjp(g, out, x, axis),)
    return (_accumulate_vjp(g, out, x, axis, ufunc),)


def _method_jvp(tangents: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    (ufunc, method), t = function.split("."), tangents[0]
    if method == "outer":
        return _outer_jvp(tangents, out, operands, ufunc)
    x, axis = operands[0], attrs["axis"] or 0
    if method == "reduceat":
        return fit(_reduceat_jvp(t, out, x, operands[1], axis, ufunc), out)
    if function == "add.accumulate":
        return fit(np.cumsum(as_of(out, t), axis=axis), out)
    if function in _EXTREMA:
        found = np.take_along_axis(t, _origins(as_of(out, x), out, axis), axis)
        return fit(found, out)
    if function == "multiply.accumulate":
        return running_product_jvp(t, out, x, axis)
    return fit(_accumulate_jvp(t, out, x, axis, ufunc), out)


defrule("ufunc.method", _method_vjp, _method_jvp)
