"""arctan, arctan2, arcsin and arccos: the angle of the point (x, y).

With a = |y| and b = |x| it is an angle that is known, 0, π/4 or π/2, and the arctan of a quotient t
of at most tan π/8: of a/b, (a - b)/(a + b) or -b/a. arctan t = t + t³ p(t²) with a minimax
polynomial p. f64 carries along what the roundings lost; f32 is computed in f64, where no rounding
counts.
"""

from __future__ import annotations

import math

from staticpy.backends.llvm.maths.coefficients import ARCTAN
from staticpy.backends.llvm.maths.expression import (
    Condition,
    Real,
    fast_two_sum,
    polynomial,
    two_product,
    two_sum,
    unless_rare,
)

_TAN = 0.41421356237309503
"""tan π/8."""

_Pair = tuple[Real, Real]

_QUARTER, _QUARTER_LOW = math.pi / 4, 3.061616997868383e-17
_LEAST, _MOST = 2.0**-400, 2.0**400
"""Between these two numbers may be divided and multiplied without scaling."""


def arctan(x: Real) -> Real:
    """The angle between -π/2 and π/2."""
    wide = x.widened() if x.scalars.dtype == "f32" else x
    # From 2^60 on it is π/2.
    size = wide.below(2.0**60).select(wide.magnitude(), 2.0**60)
    one = wide.scalars.real(1.0)
    if x.scalars.dtype == "f32":
        result = _angle_of_single(size, one).narrowed()
    else:
        high, low = _angle(size, one)
        result = high + low
    return x.if_nan(result.with_sign_of(x))


def arctan2(y: Real, x: Real) -> Real:
    """The angle between -π and π."""
    if x.scalars.dtype == "f32":
        wide_y, wide_x = y.widened(), x.widened()
        angle = _angle_of_single(*_proper(wide_y, wide_x))
        result = x.is_negative().select(math.pi - angle, angle).narrowed()
        return _signed(y, x, result)
    is_usual = _is_between(y) & _is_between(x)
    high, low = _angle(*(is_usual.select(each.magnitude(), 1.0) for each in (y, x)))
    usual = _beyond(x, high, low).with_sign_of(y)
    (result,) = unless_rare(~is_usual, [usual], lambda: [_rare(y, x)])
    return result


def arcsin(x: Real) -> Real:
    """The angle between -π/2 and π/2, by that of (√(1 - x²), x)."""
    safe, undefined = _domain(x)
    if x.scalars.dtype == "f32":
        wide = safe.widened().magnitude()
        result = _angle_of_single(wide, _other_of_single(wide)).narrowed()
    else:
        other, other_low = _other(safe)
        high, low = _angle(safe.magnitude(), other, None, other_low)
        result = high + low
    return _is_within(x).select(result.with_sign_of(x), undefined)


def arccos(x: Real) -> Real:
    """The angle between 0 and π, by that of (x, √(1 - x²))."""
    safe, undefined = _domain(x)
    if x.scalars.dtype == "f32":
        wide = safe.widened().magnitude()
        angle = _angle_of_single(_other_of_single(wide), wide)
        result = x.is_negative().select(math.pi - angle, angle).narrowed()
    else:
        other, other_low = _other(safe)
        high, low = _angle(other, safe.magnitude(), other_low, None)
        result = _beyond(x, high, low)
    return _is_within(x).select(result, undefined)


def _is_within(x: Real) -> Condition:
    return x.below(1.0) | x.is_magnitude(1.0)


def _domain(x: Real) -> _Pair:
    """The number, or 0 where it isn't between -1 and 1; and NaN there, an invalid operation."""
    is_within = _is_within(x)
    nothing = is_within.select(x.scalars.real(1.0), x) - is_within.select(x.scalars.real(0.0), x)
    return is_within.select(x, 0.0), nothing / nothing


def _other_of_single(x: Real) -> Real:
    return ((1.0 - x) * (1.0 + x)).sqrt()


def _other(x: Real) -> _Pair:
    """√(1 - x²) in two parts."""
    square, lost = two_product(x, x)
    rest, lost_too = two_sum(x.scalars.real(1.0), -square)
    root = rest.sqrt()
    product, product_lost = two_product(root, root)
    # Not 1, for which LLVM would divide by the root all the same, and select then.
    divisor = root.is_magnitude(0.0).select(x.scalars.real(2.0), root)
    return root, ((rest - product) - product_lost + (lost_too - lost)) * 0.5 / divisor


def _is_between(x: Real) -> Condition:
    return x.below(_MOST) & ~x.below(_LEAST)


def _signed(y: Real, x: Real, result: Real) -> Real:
    return (x.is_nan() | y.is_nan()).select(x.is_nan().select(x, y), result.with_sign_of(y))


def _proper(y: Real, x: Real) -> tuple[Real, Real]:
    """(|y|, |x|), or finite numbers, not both 0, with the same angle."""
    infinite = float("inf")
    y_infinite, x_infinite = y.is_magnitude(infinite), x.is_magnitude(infinite)
    above = y_infinite.select(y.scalars.real(1.0), x_infinite.select(x.scalars.real(0.0), y))
    right = x_infinite.select(x.scalars.real(1.0), y_infinite.select(y.scalars.real(0.0), x))
    both_zero = y.is_magnitude(0.0) & x.is_magnitude(0.0)
    return above.magnitude(), both_zero.select(x.scalars.real(1.0), right).magnitude()


def _rare(y: Real, x: Real) -> Real:
    """The angle of any point: scaled, or a quotient that is its own arctan."""
    a, b = _proper(y, x)
    is_usual = ~(x.is_nan() | y.is_nan())
    larger = (a.bits() < b.bits()).choose(b.bits(), a.bits()).real()
    one, zero = x.scalars.real(1.0), x.scalars.real(0.0)
    up, down = x.scalars.real(2.0**500), x.scalars.real(2.0**-600)
    factor = larger.below(_LEAST).select(up, larger.below(_MOST).select(one, down))
    scaled_a, scaled_b = (is_usual.select(each * factor, 1.0) for each in (a, b))
    scaled_larger = is_usual.select(larger * factor, 1.0)
    is_flat = is_usual & ((scaled_a * 2.0**40).bits() < scaled_b.bits())
    high, low = _angle(is_flat.select(one, scaled_a), is_flat.select(one, scaled_b))
    # Not a number for the others: LLVM would divide all the same, and select then.
    flat = is_flat.select(a, one) / is_flat.select(b, scaled_larger)
    high, low = is_flat.select(flat, high), is_flat.select(zero, low)
    return _signed(y, x, _beyond(x, high, low))


def _beyond(x: Real, high: Real, low: Real) -> Real:
    """The angle, or what it leaves of π where x is negative."""
    rest, lost = fast_two_sum(x.scalars.real(math.pi), -high)
    rest = rest + (lost + (4 * _QUARTER_LOW - low))
    return x.is_negative().select(rest, high + low)


def _regions(a: Real, b: Real) -> tuple[Condition, Condition]:
    """Whether the angle is below π/8, and whether it is above 3π/8."""
    return a.bits() < (b * _TAN).bits(), b.bits() < (a * _TAN).bits()


def _angle_of_single(a: Real, b: Real) -> Real:
    """The angle of (b, a), neither of which is negative."""
    is_low, is_high = _regions(a, b)
    top = is_low.select(a, is_high.select(-b, a - b))
    bottom = is_low.select(b, is_high.select(a, a + b))
    known = is_low.select(
        a.scalars.real(0.0), is_high.select(a.scalars.real(math.pi / 2), _QUARTER)
    )
    t = top / bottom
    return known + t * polynomial(t * t, (1.0, *ARCTAN["f32"]))


def _angle(a: Real, b: Real, a_low: Real | None = None, b_low: Real | None = None) -> _Pair:
    """As `_angle_of_single`, in two parts; of numbers that may have two, too."""
    zero = a.scalars.real(0.0)
    a_low, b_low = a_low or zero, b_low or zero
    is_low, is_high = _regions(a, b)
    difference, lost = two_sum(a, -b)
    total, lost_too = two_sum(a, b)
    top = is_low.select(a, is_high.select(-b, difference))
    top_low = is_low.select(a_low, is_high.select(-b_low, lost + (a_low - b_low)))
    bottom = is_low.select(b, is_high.select(a, total))
    bottom_low = is_low.select(b_low, is_high.select(a_low, lost_too + (a_low + b_low)))
    inverse = 1.0 / bottom
    t = top * inverse
    product, lost = two_product(t, bottom)
    t_low = ((top - product) - lost + (top_low - t * bottom_low)) * inverse
    known = is_low.select(zero, is_high.select(a.scalars.real(2 * _QUARTER), _QUARTER))
    known_low = is_low.select(zero, is_high.select(a.scalars.real(2 * _QUARTER_LOW), _QUARTER_LOW))
    t, t_low = fast_two_sum(t, t_low)
    z = t * t
    rest = (t * z).times_plus(polynomial(z, ARCTAN["f64"]), t_low + known_low)
    high, lost = fast_two_sum(known, t)
    return high, lost + rest
