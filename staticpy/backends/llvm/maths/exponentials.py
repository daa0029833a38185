"""exp, exp2, expm1, and the logistic function.

x = k ln 2 + r with |r| ≤ ln 2 / 2, the constant in two parts of which k times the first is exact
(Cody and Waite 1980); e^r = 1 + r + r² p(r) with a minimax polynomial p; then 2^k by the exponent's
bits. What the rounding of r lost is added to the smaller term.
"""

from __future__ import annotations

import math

from staticpy.backends.llvm.maths.coefficients import EXP
from staticpy.backends.llvm.maths.expression import (
    Bits,
    Real,
    fast_two_sum,
    nearest,
    polynomial,
    power_of_two,
    two_product,
    two_sum,
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


def remainder(x: Real, low: Real | None = None) -> tuple[Real, Real, Bits]:
    """(r, rest, k) with x + low = k ln 2 + r + rest, and rest what r's rounding lost."""
    k_real, k = nearest(x, 1 / math.log(2))
    first, second = LN2[x.scalars.dtype]
    high = x - k_real * first
    lost = k_real * second if low is None else k_real * second - low
    r = high - lost
    return r, (high - r) - lost, k


def reduced(x: Real, low: Real | None = None) -> tuple[Real, Real, Bits]:
    """(r, s, k) with e^(x + low) = 2^k (1 + r + s), |r| <= ln 2 / 2, and s the smaller part."""
    r, rest, k = remainder(x, low)
    return r, (r * r).times_plus(polynomial(r, EXP[x.scalars.dtype]), rest), k


def clamped(x: Real) -> Real:
    """The argument, or the nearest one at which e^x is neither 0 nor infinite; 0 for a NaN."""
    scalars = x.scalars
    low, high = RANGE[scalars.dtype]
    bound = x.is_negative().select(scalars.real(-low), high)
    usual = x.below(high) | (x.is_negative() & x.below(low))
    return usual.select(x, x.is_finite().select(bound, 0.0))


def special(x: Real, result: Real, at_minus_infinity: float) -> Real:
    """The result where x is finite; else its limit or NaN, without a flag."""
    limit = (x.is_negative() & ~x.is_nan()).select(x.scalars.real(at_minus_infinity), x)
    return x.is_finite().select(result, limit)


def exp(x: Real) -> Real:
    """e^x."""
    r, s, k = reduced(clamped(x))
    return special(x, (1.0 + (r + s)).scaled(k), 0.0)


def exp2(x: Real) -> Real:
    """2^x: x = k + f, and e^(f ln 2) with ln 2 in two parts."""
    scalars = x.scalars
    limit = {"f64": 1080.0, "f32": 152.0}[scalars.dtype]
    bound = scalars.real(limit).with_sign_of(x)
    usual = x.below(limit).select(x, x.is_finite().select(bound, 0.0))
    k_real, k = nearest(usual, 1.0)
    fraction = usual - k_real
    high, low = LN2_NEAREST[scalars.dtype]
    r, lost = two_product(fraction, scalars.real(high))
    lost = fraction.times_plus(low, lost)
    s = (r * r).times_plus(polynomial(r, EXP[scalars.dtype]), lost)
    return special(x, (1.0 + (r + s)).scaled(k), 0.0)


def expm1(x: Real) -> Real:
    """e^x - 1: 2^k ((1 - 2^-k) + r + s), the sum without loss."""
    high, low, k = expm1_parts(expm1_clamped(x))
    return special(x, (high + low).scaled(k).with_sign_of(x), -1.0)


def expm1_clamped(x: Real) -> Real:
    """As ``clamped``, and not below where e^x - 1 is -1."""
    scalars = x.scalars
    floor = {"f64": 40.0, "f32": 20.0}[scalars.dtype]
    high = RANGE[scalars.dtype][1]
    bound = x.is_negative().select(scalars.real(-floor), high)
    usual = x.below(floor) | (~x.is_negative() & x.below(high))
    return usual.select(x, x.is_finite().select(bound, 0.0))


def expm1_parts(x: Real) -> tuple[Real, Real, Bits]:
    """(high, low, k) with e^x - 1 = 2^k (high + low)."""
    scalars = x.scalars
    r, rest, k = remainder(x)
    half, half_low = two_product(r * 0.5, r)
    tail = (r * r * r).times_plus(polynomial(r, EXP[scalars.dtype][1:]), half_low + rest)
    most = scalars.bits(100)
    inverse = power_of_two(scalars.bits(0) - (k > most).choose(most, k))
    one, one_lost = two_sum(scalars.real(1.0), -inverse)
    high, lost = two_sum(one, r)
    high, half_lost = two_sum(high, half)
    return high, (lost + one_lost) + (half_lost + tail), k


def sigmoid(x: Real) -> Real:
    """1 / (1 + e^-x), as e/(1 + e) with e = e^x where x < 0: so small results keep their digits."""
    scalars = x.scalars
    floor = RANGE[scalars.dtype][0]
    size = x.below(floor).select(x.magnitude(), floor)
    r, s, k = reduced(-size)
    high, low = fast_two_sum(scalars.real(1.0), r)
    # Normalized before the scaling, so that a subnormal result is rounded once.
    high, low = fast_two_sum(high, low + s)
    e, low = high.scaled(k), low.scaled(k)
    one = scalars.real(1.0)
    top = x.is_negative().select(e, one)
    top_low = x.is_negative().select(low, 0.0)
    bottom, bottom_low = fast_two_sum(one, e)
    result = quotient(top, top_low, bottom, bottom_low + low)
    return x.is_nan().select(x, result)


def quotient(top: Real, top_low: Real, bottom: Real, bottom_low: Real) -> Real:
    """(top + top_low) / (bottom + bottom_low), by one division and a correction."""
    inverse = 1.0 / bottom
    first = top * inverse
    product, lost = two_product(first, bottom)
    rest = (top - product) - lost + (top_low - first * bottom_low)
    return first + rest * inverse
