"""tanh, by e^2|x| or, in f32, which may be 2 ulp from the truth, by less."""

from __future__ import annotations

import math

from staticpy.backends.llvm.maths.coefficients import EXP2, TANH
from staticpy.backends.llvm.maths.exponentials import expm1_parts, quotient
from staticpy.backends.llvm.maths.expression import (
    Real,
    fast_two_sum,
    nearest,
    polynomial,
    polynomial_by_pairs,
    power_of_two,
    raised,
    two_sum,
)

_MOST = {"f64": 20.0, "f32": 10.0}
"""From here on no other number is nearer to the result than 1."""

_NEAR = 0.55
"""Below this e^-2|x| is too near to 1."""


def tanh(x: Real) -> Real:
    """The hyperbolic tangent: of |x|, and then with the sign of x."""
    most = x.scalars.key(_MOST[x.scalars.dtype])
    size = x.magnitude_bits().least(most, is_signed=True).real()
    result = _single(size) if x.scalars.dtype == "f32" else _double(size)
    return x.if_nan((result.bits() | x.sign_bit()).real())


def _double(size: Real) -> Real:
    """(e^2x - 1) / (e^2x + 1), each with what its rounding lost."""
    scalars = size.scalars
    high, low, k = expm1_parts(size + size)
    scale = power_of_two(k.bits)
    high, low = fast_two_sum(high * scale, low * scale)
    bottom, lost = two_sum(scalars.real(2.0), high)
    return quotient(high, low, bottom, lost + low)


def _single(size: Real) -> Real:
    """(1 - e) / (1 + e) with e = e^-2x = 2^(k + r), whose error the subtraction makes small where e
    is; near 0 an odd polynomial.
    """
    factor = -2.0 / math.log(2)
    k = nearest(size, factor)
    fraction = size.times_plus(factor, -k.number)
    e = raised(polynomial_by_pairs(fraction, EXP2["f32"]), k.bits)
    square = size * size
    near = (size * square).times_plus(polynomial(square, TANH["f32"]), size)
    return size.under(_NEAR).select(near, (1.0 - e) / (1.0 + e))
