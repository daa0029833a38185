"""exp, exp2, expm1, and the logistic function.

x = k ln 2 + r with |r| ≤ ln 2 / 2, the constant in two parts of which k times the first is exact
(Cody and Waite 1980); e^r = 1 + r + r² p(r) with a minimax polynomial p; then 2^k by the exponent's
bits. What the rounding of r lost is added to the smaller term.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from staticpy.backends.llvm.maths.coefficients import EXP
from staticpy.backends.llvm.maths.expression import (
    Exponent,
    Real,
    fast_two_sum,
    nearest,
    polynomial,
    power_of_two,
    raised,
    two_product,
    two_sum,
    unless_rare,
)

# ln 2 in two parts, the first with 21 zeros (f32: 15) at its end: fdlibm's e_exp.c, Cephes' expf.c.
LN2 = {
    "f64": (6.93147180369123816490e-01, 1.90821492927058770002e-10),
    "f32": (0.693359375, -2.12194440054690583e-4),
}
# ln 2, rounded, and what is left.
LN2_NEAREST = {
    "f64": (math.log(2), 2.3190468138462996e-17),
    "f32": (0.6931471824645996, -1.904654323148236e-09),
}
# Below the first, exp is 0; above the second, infinite.
RANGE = {"f64": (746.0, 710.0), "f32": (105.0, 89.0)}
# Between minus this and this exp is a normal number.
NORMAL = {"f64": 708.0, "f32": 87.0}


def remainder(x: Real, low: Real | None = None) -> tuple[Real, Real, Exponent]:
    """(r, rest, k) with x + low = k ln 2 + r + rest, and rest what r's rounding lost."""
    k = nearest(x, 1 / math.log(2))
    first, second = LN2[x.scalars.dtype]
    high = k.number.times_plus(-first, x)
    lost = k.number * second if low is None else k.number * second - low
    r = high - lost
    return r, (high - r) - lost, k


def reduced(x: Real, low: Real | None = None) -> tuple[Real, Real, Exponent]:
    """(r, s, k) with e^(x + low) = 2^k (1 + r + s), |r| <= ln 2 / 2, and s the smaller part."""
    r, rest, k = remainder(x, low)
    return r, (r * r).times_plus(polynomial(r, EXP[x.scalars.dtype]), rest), k


def power_parts(x: Real) -> tuple[Real, Exponent]:
    """(p, k) with e^x = 2^k p, and p near 1. In f32, which may be 2 ulp from the truth, what the
    rounding of r lost is not added.
    """
    if x.scalars.dtype == "f64":
        r, s, k = reduced(x)
        return 1.0 + (r + s), k
    k = nearest(x, 1 / math.log(2))
    first, second = LN2["f32"]
    r = k.number.times_plus(-second, k.number.times_plus(-first, x))
    return 1.0 + (r * r).times_plus(polynomial(r, EXP["f32"]), r), k


def clamped(x: Real, low: float, high: float) -> Real:
    """The argument, or the nearest one of -low and high; 0 if it isn't finite."""
    return x.is_finite().select(x.between(low, high), 0.0)


def special(x: Real, result: Real, at_minus_infinity: float) -> Real:
    """The result where x is finite; else its limit or NaN, without a flag."""
    is_lowest = x.bits().equals(x.scalars.sign | x.scalars.key(math.inf))
    limit = is_lowest.select(x.scalars.real(at_minus_infinity), x)
    return x.is_finite().select(result, limit)


def exp(x: Real) -> Real:
    """e^x."""
    return _power(x, NORMAL[x.scalars.dtype], RANGE[x.scalars.dtype], power_parts)


def exp2(x: Real) -> Real:
    """2^x."""
    normal, limit = {"f64": (1022.0, 1080.0), "f32": (126.0, 152.0)}[x.scalars.dtype]
    return _power(x, normal, (limit, limit), _exp2_parts)


def _exp2_parts(x: Real) -> tuple[Real, Exponent]:
    """(p, k) with 2^x = 2^k p: x = k + f, and e^(f ln 2) with ln 2 in two parts."""
    scalars = x.scalars
    k = nearest(x, 1.0)
    fraction = x - k.number
    high, low = LN2_NEAREST[scalars.dtype]
    r, lost = two_product(fraction, scalars.real(high))
    lost = fraction.times_plus(low, lost)
    s = (r * r).times_plus(polynomial(r, EXP[scalars.dtype]), lost)
    return 1.0 + (r + s), k


def _power(
    x: Real,
    normal: float,
    limits: tuple[float, float],
    parts: Callable[[Real], tuple[Real, Exponent]],
) -> Real:
    """2^k p. Where scaling takes several instructions it is done by one between -``normal`` and
    it, of which the power is a normal number; all that is rare is behind a branch.
    """

    def any_power() -> Real:
        p, k = parts(clamped(x, *limits))
        return special(x, p.scaled(k), 0.0)

    if x.scalars.scales:
        return any_power()
    is_usual = x.below(normal)
    p, k = parts(is_usual.select(x, 0.0))
    (result,) = unless_rare(~is_usual, [raised(p, k.bits)], lambda: [any_power()])
    return result


def expm1(x: Real) -> Real:
    """e^x - 1: 2^k ((1 - 2^-k) + r + s), the sum without loss."""
    high, low, k = expm1_parts(expm1_clamped(x))
    return special(x, (high + low).scaled(k).with_sign_of(x), -1.0)


def expm1_clamped(x: Real) -> Real:
    """As in ``exp``, but not below where e^x - 1 is -1."""
    floor = {"f64": 40.0, "f32": 20.0}[x.scalars.dtype]
    return clamped(x, floor, RANGE[x.scalars.dtype][1])


def expm1_parts(x: Real) -> tuple[Real, Real, Exponent]:
    """(high, low, k) with e^x - 1 = 2^k (high + low)."""
    scalars = x.scalars
    r, rest, k = remainder(x)
    half, half_low = two_product(r * 0.5, r)
    tail = (r * r * r).times_plus(polynomial(r, EXP[scalars.dtype][1:]), half_low + rest)
    most = scalars.bits(100)
    inverse = power_of_two(scalars.bits(0) - (k.bits > most).choose(most, k.bits))
    one, one_lost = two_sum(scalars.real(1.0), -inverse)
    high, lost = two_sum(one, r)
    high, half_lost = two_sum(high, half)
    return high, (lost + one_lost) + (half_lost + tail), k


def sigmoid(x: Real) -> Real:
    """1 / (1 + e^-x), as e/(1 + e) with e = e^x where x < 0: so small results keep their digits."""
    dtype = x.scalars.dtype

    def any_sigmoid() -> Real:
        size = x.below(RANGE[dtype][0]).select(x.magnitude(), RANGE[dtype][0])
        return x.if_nan(_sigmoid(x, size, is_normal=False))

    is_usual = x.below(NORMAL[dtype])
    usual = _sigmoid(x, is_usual.select(x.magnitude(), 0.0), is_normal=True)
    (result,) = unless_rare(~is_usual, [usual], lambda: [any_sigmoid()])
    return result


def _sigmoid(x: Real, size: Real, *, is_normal: bool) -> Real:
    """The same of a size, with the sign of x; ``is_normal`` says that e is."""
    scalars = x.scalars
    r, s, k = reduced(-size)
    high, low = fast_two_sum(scalars.real(1.0), r)
    # Normalized before the scaling, so that a subnormal result is rounded once.
    high, low = fast_two_sum(high, low + s)
    e, low = (part.scaled(k, is_normal=is_normal) for part in (high, low))
    one = scalars.real(1.0)
    top = x.is_negative().select(e, one)
    top_low = x.is_negative().select(low, 0.0)
    bottom, bottom_low = fast_two_sum(one, e)
    return quotient(top, top_low, bottom, bottom_low + low)


def quotient(top: Real, top_low: Real, bottom: Real, bottom_low: Real) -> Real:
    """(top + top_low) / (bottom + bottom_low), by one division and a correction."""
    inverse = 1.0 / bottom
    first = top * inverse
    product, lost = two_product(first, bottom)
    rest = (top - product) - lost + (top_low - first * bottom_low)
    return first + rest * inverse
