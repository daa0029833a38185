"""hypot: the root of x² + y².

f32 is computed in f64, where no square overflows. In f64 the sum is rounded once, with what its
terms have lost; where a square would be too large or too small, which is rare, both numbers are
scaled first.
"""

from __future__ import annotations

from staticpy.backends.llvm.maths.expression import Real, two_product, two_sum, unless_rare

_LEAST, _MOST, _SCALE = 2.0**-450, 2.0**500, 2.0**600
"""From the first up to the second the larger number needs no scale."""


def hypot(x: Real, y: Real) -> Real:
    """√(x² + y²); infinite where one of both is, even if the other is a NaN."""
    if x.scalars.dtype == "f32":
        a, b = x.widened(), y.widened()
        return _or_infinite(x, y, (a * a + b * b).sqrt().narrowed())
    larger = _larger(x, y)
    is_usual = larger.below(_MOST) & ~larger.below(_LEAST)
    usual = _root(is_usual.select(x, 1.0), is_usual.select(y, 1.0))
    (result,) = unless_rare(~is_usual, [usual], lambda: [_rare(x, y, larger)])
    return result


def _larger(x: Real, y: Real) -> Real:
    """The larger magnitude; a NaN is larger than all others."""
    one, other = x.magnitude_bits(), y.magnitude_bits()
    return (one < other).choose(other, one).real()


def _root(x: Real, y: Real) -> Real:
    square, lost = two_product(x, x)
    other, other_lost = two_product(y, y)
    total, rest = two_sum(square, other)
    return (total + (rest + (lost + other_lost))).sqrt()


def _rare(x: Real, y: Real, larger: Real) -> Real:
    is_tiny, is_large = larger.below(_LEAST), ~larger.below(_MOST)
    scales = [x.scalars.real(scale) for scale in (_SCALE, 1 / _SCALE)]
    factor = is_tiny.select(scales[0], is_large.select(scales[1], 1.0))
    back = is_tiny.select(scales[1], is_large.select(scales[0], 1.0))
    safe_x, safe_y = (larger.is_finite().select(each, 1.0) for each in (x, y))
    root = _root(safe_x * factor, safe_y * factor) * back
    return _or_infinite(x, y, larger.is_finite().select(root, x.magnitude() + y.magnitude()))


def _or_infinite(x: Real, y: Real, result: Real) -> Real:
    infinite = float("inf")
    return (x.is_magnitude(infinite) | y.is_magnitude(infinite)).select(
        x.scalars.real(infinite), result
    )
