"""log, log2, log10, log1p.

x = 2^k m with m in [√½, √2), and ln m = f + tail with f = m - 1. In f32 the tail is f² p(f), p a
minimax polynomial; in f64 it is -f²/2 + s (f²/2 + s² p(s²)) with s = f / (2 + f), since
ln m = 2 atanh s (the scheme of fdlibm's e_log.c). What isn't positive, finite and normal is rare,
and seen to behind a branch.
"""

from __future__ import annotations

from dataclasses import dataclass

from staticpy.backends.llvm.maths.coefficients import LOG, LOG_OF_DIFFERENCE
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
    unless_rare,
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


# --- what is rare ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Argument:
    """The logarithm is that of 2^exponent x, to which ``limit`` is added: 0 where it is a number,
    else infinity or NaN (x is 1 there). ``exponent`` is an integer.
    """

    x: Real
    exponent: Real
    limit: Real


def _argument(x: Real) -> _Argument:
    """What log, log2 and log10 are given."""
    scalars = x.scalars
    least, infinite = 1 << scalars.mantissa, scalars.key(float("inf"))
    is_usual = (x.bits() - least).is_under(infinite - least)

    def rare() -> list[Real]:
        is_pole = x.is_magnitude(0.0)
        is_invalid = x.is_negative() & ~x.is_nan() & ~is_pole
        is_number = (x.bits() > 0) & x.is_finite()
        lift = scalars.mantissa + 2
        is_tiny = is_number & x.below(2.0 ** (1 - scalars.bias))
        lifted = x * is_tiny.select(scalars.real(2.0**lift), 1.0)
        return [
            is_number.select(lifted, 1.0),
            is_tiny.select(scalars.real(-lift), 0.0),
            is_number.select(scalars.real(0.0), _limit(x, is_pole, is_invalid)),
        ]

    return _Argument(*unless_rare(~is_usual, [x, *[scalars.real(0.0)] * 2], rare))


_LARGE = {"f64": (1000, 512), "f32": (100, 60)}
"""From which power of two on log1p is that of a number by another one less: 1 doesn't count."""


def _argument_less_one(x: Real) -> _Argument:
    """The same of log1p: 1 + x is what the logarithm is taken of."""
    scalars = x.scalars
    large, lift = _LARGE[scalars.dtype]
    # Negative numbers, as integers without a sign, are in the order of their magnitudes.
    is_usual = x.bits() < scalars.key(2.0**large)
    is_usual &= x.bits().is_under(scalars.sign | scalars.key(1.0))

    def rare() -> list[Real]:
        is_above = (x.bits() > -1) & x.is_finite()
        is_number = is_above | x.below(1.0)
        is_large = is_above & ~x.below(2.0**large)
        is_pole = x.is_negative() & x.is_magnitude(1.0)
        is_invalid = x.is_negative() & ~x.is_nan() & ~x.below(1.0) & ~is_pole
        lowered = x * is_large.select(scalars.real(2.0**-lift), 1.0)
        return [
            is_number.select(lowered, 0.0),
            is_large.select(scalars.real(lift), 0.0),
            is_number.select(scalars.real(0.0), _limit(x, is_pole, is_invalid)),
        ]

    return _Argument(*unless_rare(~is_usual, [x, *[scalars.real(0.0)] * 2], rare))


def _limit(x: Real, is_pole: Condition, is_invalid: Condition) -> Real:
    """-1/0, 0/0 or else x/1: the divisions raise the flags."""
    scalars = x.scalars
    # LLVM would divide by a zero that it knows without a flag. And if a choice followed, it would
    # divide by zero without choosing, since the choice takes the quotient only where it has to be.
    m, _ = split_normal(x)
    zero = m - m
    top = is_pole.select(scalars.real(-1.0), is_invalid.select(zero, x))
    return top / (is_pole | is_invalid).select(zero, 1.0)


# --- the logarithms -------------------------------------------------------------------------------


def _parts(argument: _Argument) -> tuple[Real, Real]:
    """(f, k) of a positive number."""
    m, k = split_normal(argument.x)
    return m - 1.0, k.converted() + argument.exponent


def _tail(f: Real) -> tuple[Real, Real]:
    """Two numbers, the second of which is smaller, whose sum is ln(1 + f) - f."""
    if f.scalars.dtype == "f32":
        return f * f * polynomial(f, LOG_OF_DIFFERENCE["f32"]), f.scalars.real(0.0)
    s = f / (2.0 + f)
    z = s * s
    half = f * 0.5 * f
    return -half, s * (half + z * polynomial(z, LOG["f64"]))


def _natural(f: Real, k: Real, small: Real | None = None) -> Real:
    """K ln 2 + ln(1 + f) + small."""
    tail, rest = _tail(f)
    first, second = LN2[f.scalars.dtype]
    high, lost = fast_two_sum(k * first, f)
    rest = k.times_plus(second, rest)
    return high + (lost + (tail + (rest if small is None else rest + small)))


def log(x: Real) -> Real:
    """The natural logarithm."""
    argument = _argument(x)
    return _natural(*_parts(argument)) + argument.limit


def log1p(x: Real) -> Real:
    """ln(1 + x): the logarithm of the sum in two parts."""
    argument = _argument_less_one(x)
    total, lost = two_sum(x.scalars.real(1.0), argument.x)
    m, k = split_normal(total)
    f = m - 1.0
    # What was lost, divided by 1 + x; 1 / m is nearly 1 - f + f².
    small = lost * power_of_two(x.scalars.bits(0) - k) * (1.0 - f + f * f)
    result = _natural(f, k.converted() + argument.exponent, small) + argument.limit
    return result.with_sign_of(x)  # of -0, too


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
    argument = _argument(x)
    f, k = _parts(argument)
    return _with_log(k, f, _PER_LN2[x.scalars.dtype]) + argument.limit


def log10(x: Real) -> Real:
    """log₁₀ x = k log₁₀ 2 + ln m / ln 10."""
    argument = _argument(x)
    f, k = _parts(argument)
    first, second = _LOG10_2[x.scalars.dtype]
    return _with_log(k * first, f, _PER_LN10[x.scalars.dtype], k * second) + argument.limit


def _with_log(whole: Real, f: Real, factor: tuple[float, float], small: Real | None = None) -> Real:
    """Whole + ln(1 + f) times a factor in two parts + small."""
    constant, rest = factor
    tail, smaller = _tail(f)
    if f.scalars.dtype == "f32":
        low = f.times_plus(rest, tail * constant)
        return whole + f.times_plus(constant, low if small is None else low + small)
    high, low = fast_two_sum(f, tail)
    product, lost = two_product(high, f.scalars.real(constant))
    low = (low + smaller).times_plus(constant, high.times_plus(rest, lost))
    total, lost = fast_two_sum(whole, product)
    return total + (lost + (low if small is None else low + small))
