"""sin, cos and tan.

f64: |x| = k π/2 + r with |r| ≤ π/4; sin r = r + r³ p(r²), cos r = 1 - r²/2 + r⁴ q(r²) with minimax
polynomials p and q, and what the roundings lost is carried along. k says which of them it is, and
its sign. f32: x = k π + r, or x + π/2, and one polynomial for |r| ≤ π/2, computed in f64, where no
rounding counts.
"""

from __future__ import annotations

from staticpy.backends.llvm.maths.coefficients import COS, SIN, SIN_TO_HALF_PI
from staticpy.backends.llvm.maths.exponentials import quotient
from staticpy.backends.llvm.maths.expression import (
    Bits,
    Real,
    fast_two_sum,
    polynomial,
    two_product,
)
from staticpy.backends.llvm.maths.quadrants import quadrant, turn_of_single


def sin(x: Real) -> Real:
    """The sine."""
    if x.scalars.dtype == "f32":
        return _of_single(x, added=0)
    r, low, k = quadrant(x)
    return (_in_quadrant(k, r, low).bits() ^ x.sign_bit()).real()


def cos(x: Real) -> Real:
    """The cosine."""
    if x.scalars.dtype == "f32":
        return _of_single(x, added=1)
    r, low, k = quadrant(x)
    return _in_quadrant(k + 1, r, low)


def tan(x: Real) -> Real:
    """The tangent: sine by cosine or, after odd quarters of a turn, less cosine by sine."""
    if x.scalars.dtype == "f32":
        r, k = turn_of_single(x.widened(), quarters=1)
        z = r * r
        sine = r * polynomial(z, (1.0, *SIN["f32"]))
        cosine = polynomial(z, (1.0, -0.5, *COS["f32"]))
        is_odd = (k << 63) < 0
        return (is_odd.select(-cosine, sine) / is_odd.select(sine, cosine)).narrowed()
    r, low, k = quadrant(x)
    is_odd = (k << 63) < 0
    sine, sine_low = fast_two_sum(*sin_parts(r, low))
    cosine, cosine_low = fast_two_sum(*cos_parts(r, low))
    top, top_low = is_odd.select(-cosine, sine), is_odd.select(-cosine_low, sine_low)
    bottom, bottom_low = is_odd.select(sine, cosine), is_odd.select(sine_low, cosine_low)
    result = quotient(top, top_low, bottom, bottom_low)
    return (result.bits() ^ x.sign_bit()).real()


def _of_single(x: Real, *, added: int) -> Real:
    r, k = turn_of_single(x.widened(), quarters=2, added=added)
    sine = r * polynomial(r * r, (1.0, *SIN_TO_HALF_PI["f32"]))
    return (sine.bits() ^ (k << 63)).real().narrowed()


def _in_quadrant(k: Bits, r: Real, low: Real) -> Real:
    """sin(k π/2 + r + low)."""
    sine, sine_low = sin_parts(r, low)
    cosine, cosine_low = cos_parts(r, low)
    found = ((k << 63) < 0).select(cosine + cosine_low, sine + sine_low)
    return (found.bits() ^ ((k & 2) << 62)).real()


def sin_parts(r: Real, low: Real) -> tuple[Real, Real]:
    """sin(r + low) as the sum of two f64."""
    z = r * r
    return r, (r * z).times_plus(polynomial(z, SIN["f64"]), low.times_plus(z * -0.5, low))


def cos_parts(r: Real, low: Real) -> tuple[Real, Real]:
    """cos(r + low) as the sum of two f64."""
    half, half_low = two_product(r * 0.5, r)
    z = r * r
    high = 1.0 - half
    lost = (1.0 - high) - half
    rest = (z * z).times_plus(polynomial(z, COS["f64"]), -(r * low))
    return high, rest + (lost - half_low)
