"""Powers: x^y, and x³ and x⁴ by multiplications.

In f64 x^y is e^(y ln x), with a logarithm of some 68 bits; in f32 2^(y log₂ x), computed in f64,
where no rounding counts. Where x isn't positive, one of both isn't finite, or the result is too
large or too small, which is rare, magnitude, sign and flags are found behind a branch.
"""

from __future__ import annotations

from dataclasses import dataclass

from staticpy.backends.llvm.engine import numpy_has_vectors
from staticpy.backends.llvm.maths.coefficients import EXP2, LOG2, LOG_ACCURATE
from staticpy.backends.llvm.maths.exponentials import LN2, reduced
from staticpy.backends.llvm.maths.expression import (
    Bits,
    Condition,
    Exponent,
    Real,
    fast_two_sum,
    nearest,
    polynomial,
    raised,
    two_product,
    unless_rare,
)
from staticpy.backends.llvm.maths.logarithms import mantissa_and_exponent, split_normal


@dataclass(frozen=True)
class _Exponent:
    """y ln x in two parts in f64, y log₂ x in f32."""

    high: Real
    low: Real | None

    @property
    def usual(self) -> float:
        """Below this the result, and all on the way to it, is a normal number of f64."""
        return 1000.0 if self.low is None else 708.0

    @property
    def most(self) -> float:
        """With this the result is infinite or 0."""
        return 1000.0 if self.low is None else 800.0

    def where(self, condition: Condition, otherwise: Real | float) -> _Exponent:
        """Itself where a condition holds, else another one."""
        low = None if self.low is None else condition.select(self.low, 0.0)
        return _Exponent(condition.select(self.high, otherwise), low)

    def power(self) -> tuple[Real, Exponent]:
        """(p, k), so that p · 2^k is the result, and p is near 1."""
        if self.low is None:
            k = nearest(self.high, 1.0)
            return polynomial(self.high - k.number, EXP2["f32"]), k
        r, s, k = reduced(self.high, self.low)
        return 1.0 + (r + s), k


def power(x: Real, y: Real) -> Real:
    """x^y, with the limits of C99's annex F."""
    if x.scalars.dtype == "f64":
        return _power(x, y, is_single=False)
    return _power(x.widened(), y.widened(), is_single=True).narrowed()


def cube(x: Real) -> Real:
    """x³."""
    if x.scalars.dtype == "f32":
        wide = x.widened()
        return (wide * wide * wide).narrowed()
    base, back = _scaled_base(x, 3)
    square, lost = two_product(base, base)
    product, lost_too = two_product(square, base)
    result = ((product + lost.times_plus(base, lost_too)) * back).with_sign_of(x)
    return x.below(_HUGE).select(result, x * x * x)


def fourth(x: Real) -> Real:
    """x⁴."""
    wide = x.widened() if x.scalars.dtype == "f32" else x
    square = wide * wide
    direct = square * square
    if x.scalars.dtype == "f32":
        return direct.narrowed()
    base, back = _scaled_base(x, 4)
    square, lost = two_product(base, base)
    product, lost_too = two_product(square, square)
    result = (product + (square + square).times_plus(lost, lost_too)) * back
    return x.below(_HUGE).select(result, direct)


_STEP = 2.0**230
"""A fourth power of a number up to this, or down to its inverse, is far from either limit."""

_HUGE = 2.0**350
"""From here on a cube is infinite."""


def _scaled_base(x: Real, count: int) -> tuple[Real, Real]:
    """The number times a power of two, and what its power of ``count`` has to be multiplied by."""
    scalars = x.scalars
    is_tiny, is_large = x.below(1 / _STEP), ~x.below(_STEP)
    factor = is_large.select(scalars.real(1 / _STEP), 1.0)
    back = is_large.select(scalars.real(_STEP**count), 1.0)
    factor = is_tiny.select(scalars.real(_STEP), factor)
    back = is_tiny.select(scalars.real(_STEP**-count), back)
    return x.below(_HUGE).select(x, 1.0) * factor, back


def _power(x: Real, y: Real, *, is_single: bool) -> Real:
    scalars = x.scalars
    least = 0.0 if is_single else 2.0**-1022
    is_usual = (x.bits() > scalars.key(least)) & (x.bits() < scalars.key(float("inf")))
    is_usual &= y.below(2.0**200)
    exponent = _exponent(split_normal(x), is_usual.select(y, 0.0), is_single=is_single)
    is_usual &= exponent.high.below(exponent.usual)
    p, k = exponent.where(is_usual, 0.0).power()
    usual = raised(p, k.bits)
    (result,) = unless_rare(~is_usual, [usual], lambda: [_rare(x, y, is_single=is_single)])
    return result


def _exponent(split: tuple[Real, Bits], y: Real, *, is_single: bool) -> _Exponent:
    """The exponent of x = m · 2^k, given (m, k)."""
    m, k = split
    f = m - 1.0
    k_real = k.converted()
    if is_single:
        return _Exponent(f.times_plus(polynomial(f, LOG2["f32"]), k_real) * y, None)
    bottom, bottom_low = fast_two_sum(f.scalars.real(2.0), f)
    high, low = _log_of_quotient(f / bottom, f, bottom, bottom_low)
    first, second = LN2["f64"]
    high, lost = fast_two_sum(k_real * first, high)
    low = k_real.times_plus(second, low) + lost
    product, lost = two_product(high, y)
    return _Exponent(product, low.times_plus(y, lost))


def _log_of_quotient(s: Real, f: Real, bottom: Real, bottom_low: Real) -> tuple[Real, Real]:
    """ln(1 + f) in two parts, to some 68 bits; s = f / bottom, bottom + low = 2 + f."""
    product, lost = two_product(s, bottom)
    # The inverse of 2 + f is half of 1 - s.
    s_low = ((f - product) - lost - s * bottom_low) * (0.5 - 0.5 * s)
    z, z_low = two_product(s, s)
    z_low = (s + s).times_plus(s_low, z_low)
    c, c_low = _THIRD
    t, t_low = fast_two_sum(f.scalars.real(c), z * polynomial(z, LOG_ACCURATE["f64"]))
    t_low = t_low + c_low
    u, u_low = _multiply(z, z_low, t, t_low)
    v, v_low = fast_two_sum(f.scalars.real(2.0), u)
    return _multiply(s, s_low, v, v_low + u_low)


_THIRD = 2 / 3, 3.700743415417188e-17
"""2/3, rounded, and what is left."""


def _multiply(a: Real, a_low: Real, b: Real, b_low: Real) -> tuple[Real, Real]:
    """The product of two numbers in two parts each."""
    product, lost = two_product(a, b)
    return fast_two_sum(product, a.times_plus(b_low, lost) + a_low * b)


def _rare(x: Real, y: Real, *, is_single: bool) -> Real:
    """The power of any two numbers."""
    scalars = x.scalars
    negative = x.is_negative() & ~x.is_nan()
    is_zero, is_finite = x.is_magnitude(0.0), x.is_finite() & y.is_finite()
    is_usual = is_finite & ~is_zero
    invalid = negative & is_usual & ~y.is_integer()
    is_usual &= ~invalid
    m, k = mantissa_and_exponent(is_usual.select(x.magnitude(), 1.0))
    size = _magnitude(x, y, is_usual, (m, k), is_single=is_single)
    pole = is_zero & y.is_negative() & ~y.is_nan() & ~y.is_magnitude(0.0)
    if not numpy_has_vectors():  # which warn of 0^-inf; C's functions don't
        pole &= y.is_finite()
    # The flags: of 1/0, and of 0/0. LLVM would divide by a zero that it knows, without a flag; and
    # everywhere by the zero, if the quotient were selected: where there is no flag, it is 1.
    zero = m - m
    top = pole.select(scalars.real(1.0), invalid.select(zero, m))
    flagged = top / (pole | invalid).select(zero, m)
    result = (pole | invalid).select(scalars.real(1.0), size) * flagged
    is_odd = y.is_integer() & ~(y * 0.5).is_integer()
    result = (negative & is_odd).select(-result, result)
    result = (x.is_nan() | y.is_nan()).select(x.is_nan().select(x, y), result)
    # 1^y for any y, and (-1)^±inf.
    of_one = x.is_magnitude(1.0) & (~x.is_negative() | y.is_magnitude(float("inf")))
    return (of_one | y.is_magnitude(0.0)).select(scalars.real(1.0), result)


def _magnitude(
    x: Real, y: Real, is_usual: Condition, split: tuple[Real, Bits], *, is_single: bool
) -> Real:
    """|x|^y; a limit where it isn't usual: a zero or an infinite number is in it."""
    scalars = x.scalars
    bound = y.below(2.0**100).select(y, scalars.real(2.0**100).with_sign_of(y))
    exponent = _exponent(split, is_usual.select(bound, 0.0), is_single=is_single)
    most = scalars.real(exponent.most).with_sign_of(exponent.high)
    p, k = exponent.where(exponent.high.below(exponent.most), most).power()
    above = x.magnitude_bits() > scalars.key(1.0)
    grows = (above & ~y.is_negative()) | (~above & y.is_negative())
    return is_usual.select(p.scaled(k), grows.select(scalars.real(float("inf")), 0.0))
