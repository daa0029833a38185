"""The rules of NumPy's elementwise functions.

Where a function has no derivative, its rule gives (``docs/derivatives.md`` has it beside what JAX
and PyTorch give):

- ``absolute``, ``fabs``, ``hypot`` at 0: 0.
- ``maximum``, ``minimum``, ``fmax``, ``fmin`` where both operands are equal: half for each. A NaN
  gets nothing.
- ``sqrt`` and ``cbrt`` at 0, ``arcsin``, ``arccos``, ``arctanh`` at -1 and 1, ``arccosh`` at 1:
  inf, with NumPy's warning.
- ``floor``, ``rint``, ``sign`` and the like are constant but for jumps: nothing flows, also at
  them. So it is with the first operand of ``heaviside`` and the second one of ``copysign``.
- ``remainder`` and ``fmod`` at their jumps: the derivative of the side to which the value belongs.
- ``power`` by the exponent where the base is 0: 0. By the base where the exponent is 0: 0.
- ``logaddexp`` where both operands are the same infinity: 1 for each.

A complex function is holomorphic, but for ``absolute``, ``conjugate`` and ``sign``. On a cut the
sign of a zero tells the side: ``x - -1`` keeps that of ``-0.0``, and ``x + 1`` does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.base import (
    defrule,
    flat,
    is_complex,
    no_rule,
    pointwise,
    reapply,
    terms,
    where,
)

_LN2 = float(np.log(2))
_LN10 = float(np.log(10))
_2_BY_ROOT_PI = float(2 / np.sqrt(np.pi))

# --- arithmetic -----------------------------------------------------------------------------------

terms("add", lambda t, *_: t, lambda t, *_: t)
terms("subtract", lambda t, *_: t, lambda t, *_: -t)
terms("multiply", lambda t, _, x, y: t * y, lambda t, _, x, y: t * x)
terms("complex_multiply", lambda t, _, x, y: t * y, lambda t, _, x, y: t * x)
terms("true_divide", lambda t, _, x, y: t / y, lambda t, out, x, y: -(t / y * out))
terms("negative", lambda t, *_: -t)
terms("positive", lambda t, *_: t)
terms("reciprocal", lambda t, out, _: -t * (out * out))
terms("square", lambda t, _, x: t * (2 * x))
terms(
    "remainder",
    lambda t, *_: t,
    lambda t, _, x, y: -t * np.floor_divide(x, y),
)
terms("fmod", lambda t, *_: t, lambda t, out, x, y: -t * np.rint((x - out) / y))
flat("floor_divide")


def _remainder_only(g: Any, _out: Any, x: Any, y: Any) -> tuple[Any, Any]:
    remainder = g[1]
    return (None, None) if remainder is None else (remainder, -remainder * np.floor_divide(x, y))


def _divmod_jvp(tangents: Any, out: Any, _x: Any, _y: Any) -> tuple[None, Any]:
    first, second = tangents
    if second is None:
        return None, first
    scaled = -second * out[0]
    return None, scaled if first is None else first + scaled


defrule("divmod", _remainder_only, _divmod_jvp)


# --- powers ---------------------------------------------------------------------------------------


def by_base(t: Any, _out: Any, x: Any, y: Any) -> Any:
    """``x**y`` by ``x``: where ``y`` is 0, the exponent is not -1, so that 0 * inf is not asked."""
    return t * (y * np.power(x, y - (y != 0)))


def by_exponent(t: Any, out: Any, x: Any, _y: Any) -> Any:
    """``x**y`` by ``y``; where ``x`` is 0, this is the logarithm of 1."""
    return t * (np.log(x + (x == 0)) * out)


terms("power", by_base, by_exponent)
terms("float_power", by_base, by_exponent)
pointwise("sqrt", lambda out, _: 0.5 / out)
terms("cbrt", lambda t, out, _: t / (3 * (out * out)))

# --- exponentials and logarithms ------------------------------------------------------------------

pointwise("exp", lambda out, _: out)
pointwise("exp2", lambda out, _: out * _LN2)
pointwise("expm1", lambda out, _: out + 1)
# beyond 30 it is 0 in each dtype, while a square can overflow
pointwise("erf", lambda _, x: _2_BY_ROOT_PI * np.exp(-np.square(np.clip(x, -30.0, 30.0))))
terms("log", lambda t, _, x: t / x)
terms("log2", lambda t, _, x: t / (x * _LN2))
terms("log10", lambda t, _, x: t / (x * _LN10))
terms("log1p", lambda t, _, x: t / (x + 1))


def _share(power: Any, out: Any, x: Any, other: Any) -> Any:
    """What ``x`` has of a sum of powers: ``x - out`` is its logarithm. Equal operands that are
    infinite, or so large that the sum has the same logarithm, have equal shares, too.
    """
    share = power(where(x == out, 0, x - out))
    return where((x == out) & (other == out), 0.5, share)


pointwise(
    "logaddexp",
    lambda out, x, y: _share(np.exp, out, x, y),
    lambda out, x, y: _share(np.exp, out, y, x),
)
pointwise(
    "logaddexp2",
    lambda out, x, y: _share(np.exp2, out, x, y),
    lambda out, x, y: _share(np.exp2, out, y, x),
)

# --- trigonometric and hyperbolic functions -------------------------------------------------------


def _cosine(sine: Any) -> Any:
    """``sqrt(1 - sine**2)``; of a complex number on the cut, on the side that its zero tells."""
    if is_complex(sine):
        return np.sqrt(-(sine - 1)) * np.sqrt(sine - -1)
    return np.sqrt((1 - sine) * (1 + sine))


pointwise("sin", lambda _, x: np.cos(x))
pointwise("cos", lambda _, x: -np.sin(x))
pointwise("tan", lambda out, _: 1 + out * out)
terms("arcsin", lambda t, _, x: t / _cosine(x))
terms("arccos", lambda t, _, x: -t / _cosine(x))
terms("arctan", lambda t, _, x: t / (1 + x * x))
pointwise("sinh", lambda _, x: np.cosh(x))
pointwise("cosh", lambda _, x: np.sinh(x))
pointwise("tanh", lambda out, _: 1 - out * out)
terms("arcsinh", lambda t, _, x: t / np.sqrt(x * x - -1))
# The two roots, and not that of the product, have the branch of the complex function.
terms("arccosh", lambda t, _, x: t / (np.sqrt(x - 1) * np.sqrt(x - -1)))
terms("arctanh", lambda t, _, x: t / ((1 - x) * (1 + x)))
terms(
    "arctan2",
    lambda t, _, y, x: t * (x / (x * x + y * y)),
    lambda t, _, y, x: -t * (y / (x * x + y * y)),
)
terms(
    "hypot",
    lambda t, out, x, y: t * (x / (out + (out == 0))),
    lambda t, out, x, y: t * (y / (out + (out == 0))),
)
for _name in ("deg2rad", "radians", "rad2deg", "degrees"):
    terms(_name, lambda t, *_, name=_name: reapply(name, t))

# --- selection ------------------------------------------------------------------------------------


def _selected(t: Any, out: Any, x: Any, y: Any) -> Any:
    """What of ``t`` belongs to ``x``, where the result is the one of ``x`` and ``y``."""
    return where(x == y, 0.5 * t, where(x == out, t, 0))


for _name in ("maximum", "minimum", "fmax", "fmin"):
    terms(_name, _selected, lambda t, out, x, y: _selected(t, out, y, x))

terms("copysign", lambda t, _, x, y: where(np.signbit(x) == np.signbit(y), t, -t), None)
terms("heaviside", None, lambda t, _, x, h: t * (x == 0))

# --- parts of numbers -----------------------------------------------------------------------------


def _conjugate(t: Any) -> Any:
    return np.conjugate(t) if is_complex(t) else t


def _absolute_vjp(g: Any, _out: Any, x: Any) -> tuple[Any]:
    return (g * _conjugate(np.sign(x)),)


def _absolute_jvp(tangents: Any, _out: Any, x: Any) -> Any:
    moved = tangents[0] * _conjugate(np.sign(x))
    return moved.real if is_complex(x) else moved


def _sign_vjp(g: Any, out: Any, x: Any) -> tuple[Any]:
    return (_turned(g, out, _conjugate(out), x) if is_complex(x) else None,)


def _sign_jvp(tangents: Any, out: Any, x: Any) -> Any:
    return _turned(tangents[0], _conjugate(out), out, x) if is_complex(x) else None


def _turned(t: Any, onto: Any, along: Any, x: Any) -> Any:
    """What of ``t`` turns a complex number: a real angle, put across ``along``."""
    size = np.absolute(x)
    return -1j * along * ((1j * onto * t).real / (size + (size == 0)))


terms("checkpoint_name", lambda t, *_: t)
terms("conjugate", lambda t, *_: _conjugate(t))
defrule("absolute", _absolute_vjp, _absolute_jvp)
terms("fabs", lambda t, _, x: t * np.sign(x))
defrule("sign", _sign_vjp, _sign_jvp)
terms("ldexp", lambda t, _out, _x, i: np.ldexp(t, i), None)


def _first_only(g: Any, out: Any, x: Any) -> tuple[Any]:
    return (None if g[0] is None else np.ldexp(g[0], -out[1]),)


defrule("frexp", _first_only, lambda t, out, x: (np.ldexp(t[0], -out[1]), None))
defrule("modf", lambda g, _out, x: (g[0],), lambda t, _out, x: (t[0], None))

# --- without a derivative -------------------------------------------------------------------------

flat("floor", "ceil", "trunc", "rint", "stop_gradient")
flat(
    *("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
    *("less_int", "less_equal_int", "greater_int", "greater_equal_int"),
    *("equal_int", "not_equal_int"),
    *("logical_and", "logical_or", "logical_xor", "logical_not"),
    *("isnan", "isinf", "isfinite", "signbit"),
)
flat(
    *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_count", "invert"),
    *("left_shift", "right_shift", "gcd", "lcm"),
)
no_rule("the distance to the next float has no derivative", "nextafter", "spacing")
