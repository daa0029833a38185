"""log, log2, log10, log1p.

x = 2^k m with m in [√½, √2), f = m - 1, s = f / (2 + f), and
log m = 2 atanh s = f - f²/2 + s (f²/2 + s² p(s²)), p a minimax polynomial (the scheme of fdlibm's
e_log.c). The division of s is also the one that raises the flags: -1/0 for a zero, 0/0 for what is
negative.
"""

from __future__ import annotations

from staticpy.backends.llvm.maths.coefficients import LOG, LOG_ACCURATE
from staticpy.backends.llvm.maths.exponentials import LN2
from staticpy.backends.llvm.maths.expression import (
    Bits,
    Condition,
    Real,
    fast_two_sum,
    polynomial,
    power_of_two,
    two_product,
    two_sum,
)

_SQRT_HALF = {"f64": 0x3FE6A09E667F3BCD, "f32": 0x3F3504F3}


def mantissa_and_exponent(x: Real) -> tuple[Real, Bits]:
    """(m, k) with x = 2^k m, m in [√½, √2); of a positive, finite number, subnormal ones too."""
    scalars = x.scalars
    tiny = x.magnitude_bits() < 1 << scalars.mantissa
    lift = scalars.mantissa + 2
    # The factor is selected, not the product, which may overflow.
    m, k = split_normal(x * tiny.select(scalars.real(2.0**lift), 1.0))
    return m, k - tiny.choose(scalars.bits(lift), scalars.bits(0))


def split_normal(x: Real) -> tuple[Real, Bits]:
    """As `mantissa_and_exponent`, of a number that isn't subnormal; of others some numbers."""
    scalars = x.scalars
    half = _SQRT_HALF[scalars.dtype]
    # Biased by 2 bias, so that the shift never sees a negative number.
    biased = x.bits() - half + (2 * scalars.bias << scalars.mantissa)
    k = (biased >> scalars.mantissa) - 2 * scalars.bias
    fraction = (biased & (1 << scalars.mantissa) - 1) + half
    return fraction.real(), k


def domain(x: Real) -> tuple[Condition, Real]:
    """Whether x is positive and finite; and x there, 1 elsewhere."""
    usual = x.bits() > 0
    usual &= x.is_finite()
    return usual, usual.select(x, 1.0)


def flagged(x: Real, f: Real, bottom: Real) -> tuple[Real, Real]:
    """The operands of f / bottom; at a zero -1 and 0, at what is negative 0 and 0."""
    zero = x.is_magnitude(0.0)
    negative = x.is_negative() & ~x.is_nan()
    top = zero.select(x.scalars.real(-1.0), negative.select(x.scalars.real(0.0), f))
    return top, (zero | negative).select(x.scalars.real(0.0), bottom)


def special(x: Real, s: Real, result: Real, usual: Condition) -> Real:
    """The result; at a zero and what is negative the quotient itself; else infinity or NaN."""
    zero_or_negative = x.is_magnitude(0.0) | (x.is_negative() & ~x.is_nan())
    return usual.select(result, zero_or_negative.select(s, x))


def log(x: Real) -> Real:
    """The natural logarithm."""
    usual, safe = domain(x)
    m, k = mantissa_and_exponent(safe)
    f = m - 1.0
    top, bottom = flagged(x, f, 2.0 + f)
    s = top / bottom
    return special(x, s, sum_of_log(f, None, s, k), usual)


def sum_of_log(f: Real, f_low: Real | None, s: Real, k: Bits) -> Real:
    """K ln 2 + log(1 + f + f_low), s = f / (2 + f)."""
    dtype = f.scalars.dtype
    z = s * s
    half, half_low = two_product(f * 0.5, f)
    rest = s * (half + z * polynomial(z, LOG[dtype]))
    k_real = k.converted()
    first, second = LN2[dtype]
    high, lost = fast_two_sum(k_real * first, f)
    high, lost2 = two_sum(high, -half)
    small = k_real.times_plus(second, rest) - half_low
    if f_low is not None:
        small = small + f_low * (1.0 - f + f * f)
    return high + (small + (lost + lost2))


def log1p(x: Real) -> Real:
    """ln(1 + x): the logarithm of the sum in two parts."""
    scalars = x.scalars
    usual = x.is_finite() & ((x.bits() > -1) | x.below(1.0))
    safe = usual.select(x, 0.0)
    total, lost = two_sum(scalars.real(1.0), safe)
    m, k = mantissa_and_exponent(total)
    # What was lost, in the scale of m; where k is large it doesn't count.
    most = scalars.bits(100)
    scale = power_of_two(scalars.bits(0) - (k > most).choose(most, k))
    f, f_low = two_sum(m - 1.0, lost * scale)
    negative = x.is_negative() & ~x.is_nan() & ~x.below(1.0)
    pole = negative & x.is_magnitude(1.0)
    top = pole.select(scalars.real(-1.0), negative.select(scalars.real(0.0), f))
    bottom = negative.select(scalars.real(0.0), 2.0 + f)
    s = top / bottom
    result = sum_of_log(f, f_low, s, k)
    result = x.below(_tiny(x)).select(x, result)
    return usual.select(result, negative.select(s, x))


def _tiny(x: Real) -> float:
    """Below it, ln(1 + x) and x are the same number."""
    return {"f64": 2.0**-54, "f32": 2.0**-25}[x.scalars.dtype]


def log_in_two(x: Real) -> tuple[Real, Real, Bits, Real]:
    """(high, low, k, s): ln m to some 68 bits (f32: 34), of x = 2^k m; s as in `log`."""
    scalars = x.scalars
    _, safe = domain(x)
    m, k = mantissa_and_exponent(safe)
    f = m - 1.0
    bottom, bottom_low = fast_two_sum(scalars.real(2.0), f)
    top, divisor = flagged(x, f, bottom)
    quotient = top / divisor
    s = domain(x)[0].select(quotient, 0.0)
    high, low = log_of_quotient(s, f, bottom, bottom_low)
    return high, low, k, quotient


def log_of_quotient(s: Real, f: Real, bottom: Real, bottom_low: Real) -> tuple[Real, Real]:
    """ln(1 + f) in two parts, to some 68 bits (f32: 34); s = f / bottom, bottom + low = 2 + f."""
    dtype = f.scalars.dtype
    product, lost = two_product(s, bottom)
    # The inverse of 2 + f is half of 1 - s.
    s_low = ((f - product) - lost - s * bottom_low) * (0.5 - 0.5 * s)
    z, z_low = two_product(s, s)
    z_low = (s + s).times_plus(s_low, z_low)
    c, c_low = THIRD[dtype]
    t, t_low = fast_two_sum(f.scalars.real(c), z * polynomial(z, LOG_ACCURATE[dtype]))
    t_low = t_low + c_low
    u, u_low = multiply(z, z_low, t, t_low)
    v, v_low = fast_two_sum(f.scalars.real(2.0), u)
    return multiply(s, s_low, v, v_low + u_low)


# 2/3, rounded, and what is left.
THIRD = {
    "f64": (2 / 3, 3.700743415417188e-17),
    "f32": (0.6666666865348816, -1.9868214962137642e-08),
}


def multiply(a: Real, a_low: Real, b: Real, b_low: Real) -> tuple[Real, Real]:
    """The product of two numbers in two parts each."""
    product, lost = two_product(a, b)
    return fast_two_sum(product, a.times_plus(b_low, lost) + a_low * b)


# 1 / ln 2, 1 / ln 10 and log10(2) in two parts, the last one's first with zeros at its end.
_PER_LN2 = {
    "f64": (1.4426950408889634, 2.0355273740931033e-17),
    "f32": (1.4426950216293335, 1.925963033500661e-08),
}
_PER_LN10 = {
    "f64": (0.4342944819032518, 1.098319650216765e-17),
    "f32": (0.4342944920063019, -1.010305059338455e-08),
}
_LOG10_2 = {
    "f64": (3.01029995663611771306e-01, 3.69423907715893078616e-13),
    "f32": (3.0102920532e-01, 7.9034151668e-07),
}


def log2(x: Real) -> Real:
    """log₂ x = k + ln m / ln 2."""
    high, low, k, s = log_in_two(x)
    constant, rest = (x.scalars.real(c) for c in _PER_LN2[x.scalars.dtype])
    high, low = multiply(high, low, constant, rest)
    total, lost = fast_two_sum(k.converted(), high)
    return special(x, s, total + (lost + low), domain(x)[0])


def log10(x: Real) -> Real:
    """log₁₀ x = k log₁₀ 2 + ln m / ln 10."""
    high, low, k, s = log_in_two(x)
    constant, rest = (x.scalars.real(c) for c in _PER_LN10[x.scalars.dtype])
    high, low = multiply(high, low, constant, rest)
    first, second = _LOG10_2[x.scalars.dtype]
    k_real = k.converted()
    total, lost = fast_two_sum(k_real * first, high)
    return special(x, s, total + (k_real.times_plus(second, low) + lost), domain(x)[0])
