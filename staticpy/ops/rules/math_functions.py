"""The rules of ``math`` and ``cmath``, whose results are Python's own numbers.

Operands become Python numbers first, as the functions take them. Where a function is defined and
its derivative is infinite (``sqrt`` and ``cbrt`` at 0, ``asin``, ``acos`` at -1 and 1, ``acosh`` at
1), that is inf. ``fabs``, ``hypot`` and ``dist`` at 0 have the derivative 0. ``ceil``, ``floor``,
``trunc`` are constant but for jumps, and so are the functions of ints.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.opdef import REGISTRY
from staticpy.ops.rules.arrays import fit, is_array
from staticpy.ops.rules.base import (
    NoDerivativeError,
    Term,
    add_up,
    call,
    defrule,
    flat,
    flows,
    is_complex,
    like,
    linear,
    mixed_terms,
    no_rule,
    strong,
    wants,
    where,
)

_LN2 = math.log(2)
_LN10 = math.log(10)


def _number(x: Any) -> Any:
    """A number of any box as Python's; ints, which have no derivative, as they are."""
    return call(complex if is_complex(x) else float, x) if flows(x) else x


def _function(name: str, *by: Term | None) -> None:
    """A function by a term for each operand; the last one is that of all operands that follow."""
    if name in REGISTRY:  # some came after Python 3.11
        number = _real_number if name.startswith("math.") else _number
        mixed_terms(name, *(None if term is None else _of_numbers(term, number) for term in by))


def _of_numbers(term: Term, number: Callable[[Any], Any]) -> Term:
    return lambda t, out, *operands: term(number(t), out, *map(number, operands))


def _real_number(x: Any) -> Any:
    """As ``_number``; of a complex number, of which ``math`` takes the real part, with a warning,
    just that.
    """
    return _number(x.real if is_complex(x) else x)


# --- functions of one number ----------------------------------------------------------------------

_TERMS: dict[str, Term] = {
    "exp": lambda t, out, _: t * out,
    "log10": lambda t, _, x: t / (x * _LN10),
    "tan": lambda t, out, _: t * (1 + out * out),
    "atan": lambda t, _, x: t / (1 + x * x),
    "tanh": lambda t, out, _: t * (1 - out * out),
    "atanh": lambda t, _, x: t / ((1 - x) * (1 + x)),
    "sqrt": lambda t, out, _: t * (0.5 / strong(out)),
}
"""Where ``math`` and ``cmath`` have the same term."""


def _define_both(module: Any) -> None:
    """The rules of the functions that both modules have."""
    name = module.__name__
    for function, term in _TERMS.items():
        _function(f"{name}.{function}", term)
    _function(f"{name}.sin", lambda t, _, x: t * call(module.cos, x))
    _function(f"{name}.cos", lambda t, _, x: -t * call(module.sin, x))
    _function(f"{name}.sinh", lambda t, _, x: t * call(module.cosh, x))
    _function(f"{name}.cosh", lambda t, _, x: t * call(module.sinh, x))
    root = module.sqrt

    def cosine(sine: Any) -> Any:
        """``sqrt(1 - sine**2)``."""
        if module is math:
            return strong(call(root, (1 - sine) * (1 + sine)))
        sine = _complex(sine)
        return strong(call(root, -(sine - 1)) * call(root, sine - -1))

    # On a cut the sign of a zero tells the side: ``x - -1`` keeps that of -0.0, ``x + 1`` does not.
    _function(f"{name}.asin", lambda t, _, x: t / cosine(x))
    _function(f"{name}.acos", lambda t, _, x: -t / cosine(x))
    _function(f"{name}.asinh", lambda t, _, x: t / strong(call(root, x * x - -1)))
    # The two roots, and not that of the product, have the branch of the complex function.
    _function(
        f"{name}.acosh",
        lambda t, _, x: t / strong(call(root, x - 1) * call(root, x - -1)),
    )

    def log_of(x: Any) -> Any:
        return call(module.log, x)

    _function(
        f"{name}.log",
        lambda t, _, x, base=None: t / x if base is None else t / x / log_of(base),
        lambda t, out, _x, base: -t * (out / base / log_of(base)),
    )


_define_both(math)
_define_both(cmath)

_function("math.cbrt", lambda t, out, _: t / (3 * strong(out * out)))
_function("math.exp2", lambda t, out, _: t * (out * _LN2))
_function("math.expm1", lambda t, out, _: t * (out + 1))
_function("math.log2", lambda t, _, x: t / (x * _LN2))
_function("math.log1p", lambda t, _, x: t / (x + 1))
_function("math.degrees", lambda t, *_: call(math.degrees, t))
_function("math.radians", lambda t, *_: call(math.radians, t))
_function("math.fabs", lambda t, _, x: t * ((x > 0) - (x < 0)))

_ERF = 2 / math.sqrt(math.pi)
_function("math.erf", lambda t, _, x: t * (_ERF * call(math.exp, -x * x)))
_function("math.erfc", lambda t, _, x: -t * (_ERF * call(math.exp, -x * x)))

_ASYMPTOTIC = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
_SHIFT = 8
"""From here on the first terms of the asymptotic series of the digamma function are enough."""


def _digamma(x: Any) -> Any:
    """The derivative of ``lgamma``, by the recurrence and the asymptotic series, and by reflection
    for negative numbers.
    """
    is_negative = x < 0
    y = strong(where(is_negative, 1 - x, x))
    shifted = y + _SHIFT
    inverse = 1 / (shifted * shifted)
    tail: Any = 0.0
    for coefficient in reversed(_ASYMPTOTIC):
        tail = (tail + coefficient) * inverse
    found = np.log(shifted) - 0.5 / shifted - tail
    for step in range(_SHIFT):
        found = found - 1 / (y + step)
    return found - where(is_negative, math.pi / np.tan(math.pi * where(is_negative, x, 0.5)), 0)


_function("math.lgamma", lambda t, _, x: t * _digamma(x))
_function("math.gamma", lambda t, out, x: t * (out * _digamma(x)))

# --- functions of several numbers -----------------------------------------------------------------

_function(
    "math.atan2",
    lambda t, _, y, x: t * (x / strong(x * x + y * y)),
    lambda t, _, y, x: -t * (y / strong(x * x + y * y)),
)
_function(
    "math.copysign",
    lambda t, _, x, y: t * (call(math.copysign, 1.0, x) * call(math.copysign, 1.0, y)),
    None,
)
for _name in ("math.fmod", "math.remainder"):
    _function(_name, lambda t, *_: t, lambda t, out, x, y: -t * np.rint((x - out) / y))
_function(
    "math.pow",
    lambda t, _, x, y: t * (y * np.power(x, y - (y != 0))),
    lambda t, out, x, _y: t * (np.log(call(float, x) + (x == 0)) * out),
)
_function("math.fma", lambda t, _, x, y, z: t * y, lambda t, _, x, y, z: t * x, lambda t, *_: t)
_function("math.fsum", lambda t, *_: t)
_function("math.ldexp", lambda t, _out, _x, i: call(math.ldexp, t, i), None)


def _ratio(difference: Any, out: Any) -> Any:
    return difference / (out + (out == 0))


def _of_length(name: str, differences: Any) -> None:
    """A function that is the length of the vector ``differences(*numbers, **attrs)``; with
    ``count`` the operands from there on are subtracted.
    """

    def partials(out: Any, operands: tuple[Any, ...], attrs: Any) -> list[Any]:
        return [_ratio(each, out) for each in differences(*map(_number, operands), **attrs)]

    def vjp(g: Any, out: Any, *operands: Any, **attrs: Any) -> tuple[Any, ...]:
        pairs = zip(partials(out, operands, attrs), operands, strict=True)
        return tuple(like(g * p, x) if wants(x) else None for p, x in pairs)

    def jvp(tangents: Any, out: Any, *operands: Any, **attrs: Any) -> Any:
        pairs = zip(partials(out, operands, attrs), tangents, strict=True)
        return add_up([_number(t) * p for p, t in pairs if t is not None])

    defrule(name, vjp, jvp)


def _apart(*coordinates: Any, count: int) -> list[Any]:
    pairs = zip(coordinates[:count], coordinates[count:], strict=True)
    ahead = [p - q for p, q in pairs]
    return [*ahead, *(-each for each in ahead)]


_of_length("math.hypot", lambda *coordinates: coordinates)
_of_length("math.dist", _apart)

# --- sequences ------------------------------------------------------------------------------------


def _require_arrays(*sequences: Any) -> None:
    """Refuse lists, which are no operands of rules."""
    if not all(map(is_array, sequences)):
        raise NoDerivativeError("there is no derivative by a list whose items are no floats")


def _fsum_vjp(g: Any, _out: Any, x: Any) -> tuple[Any]:
    _require_arrays(x)
    return (fit(g + np.zeros_like(x), x) if wants(x) else None,)


linear("math.fsum_of", _fsum_vjp)


def _rows_apart(out: Any, p: Any, q: Any) -> Any:
    _require_arrays(p, q)
    return _ratio(p.astype(np.float64) - q.astype(np.float64), out)


def _dist_vjp(g: Any, out: Any, p: Any, q: Any) -> tuple[Any, ...]:
    back = g * _rows_apart(out, p, q)
    return fit(back, p) if wants(p) else None, fit(-back, q) if wants(q) else None


def _dist_jvp(tangents: Any, out: Any, p: Any, q: Any) -> Any:
    apart = _rows_apart(out, p, q)
    signed = zip((1.0, -1.0), tangents, strict=True)
    return add_up([call(float, np.sum(t * apart) * sign) for sign, t in signed if t is not None])


defrule("math.dist_of", _dist_vjp, _dist_jvp)

# --- two results ----------------------------------------------------------------------------------


def _pair(name: str, first: Term, second: Term | None) -> None:
    """A function of one number with two results, by a term for each. A tangent of a complex number
    moves a real result by the real part of the term.
    """

    def vjp(g: Any, out: Any, x: Any) -> tuple[Any]:
        if not wants(x):
            return (None,)
        by = zip((first, second), g, strict=True)
        total = add_up(
            [term(each, out, _number(x)) for term, each in by if term and each is not None]
        )
        return (None if total is None else like(total, x),)

    def jvp(tangents: Any, out: Any, x: Any) -> tuple[Any, Any]:
        t = _number(tangents[0])
        ahead = like(first(t, out, _number(x)), out[0])
        return ahead, None if second is None else like(second(t, out, _number(x)), out[1])

    defrule(name, vjp, jvp)


def _turn(t: Any, _out: Any, z: Any) -> Any:
    """``phase(z)`` is the imaginary part of ``log(z)``."""
    return -1j * t / strong(_complex(z))


def _complex(z: Any) -> Any:
    return call(complex, z)


def _stretch(t: Any, out: Any, z: Any) -> Any:
    length = out[0]
    return t * (_complex(z).conjugate() / (length + (length == 0)))


_pair("math.frexp", lambda t, out, _: call(math.ldexp, t, -out[1]), None)
_pair("math.modf", lambda t, *_: t, None)
_pair("cmath.polar", _stretch, _turn)
_function("cmath.phase", _turn)
_function(
    "cmath.rect",
    lambda t, _out, _r, phi: t * call(cmath.rect, 1.0, phi),
    lambda t, out, _r, _phi: t * (1j * out),
)

# --- without a derivative -------------------------------------------------------------------------

flat("math.ceil", "math.floor", "math.trunc")
flat("math.isfinite", "math.isinf", "math.isnan", "math.isclose")
flat("cmath.isfinite", "cmath.isinf", "cmath.isnan")
flat("math.comb", "math.factorial", "math.gcd", "math.isqrt", "math.lcm", "math.perm")
no_rule("the distance to the next float has no derivative", "math.nextafter", "math.ulp")
