"""tanh: of f32 by a table of polynomials where the processor has AVX-512, else by e^2|x|."""

from __future__ import annotations

import math

from staticpy.backends.llvm.maths.coefficients import EXP2, TANH, TANH_PIECES
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
from staticpy.backends.llvm.maths.tables import looked_up

_MOST = {"f64": 20.0, "f32": 10.0}
"""From here on no other number is nearer to the result than 1."""

_NEAR = 0.55
"""Below this e^-2|x| is too near to 1."""

_PIECES_FROM, _PIECES_SHIFT = 0x3D400000, 21
"""Where the pieces begin, and how many bits of |x| make no difference to which it is. (As in
NumPy's code for AVX-512, which is Intel's; with other polynomials.)"""


def tanh(x: Real) -> Real:
    """The hyperbolic tangent: of |x|, and then with the sign of x."""
    most = x.scalars.key(_MOST[x.scalars.dtype])
    size = x.magnitude_bits().least(most, is_signed=True).real()
    if x.scalars.dtype == "f64":
        result = _double(size)
    else:
        result = _by_pieces(size) if x.scalars.scaling else _single(size)
    return x.if_nan((result.bits() | x.sign_bit()).real())


def _double(size: Real) -> Real:
    """(e^2x - 1) / (e^2x + 1), each with what its rounding lost."""
    scalars = size.scalars
    high, low, k = expm1_parts(size + size)
    scale = power_of_two(k.bits)
    high, low = fast_two_sum(high * scale, low * scale)
    bottom, lost = two_sum(scalars.real(2.0), high)
    return quotient(high, low, bottom, lost + low)


def _by_pieces(size: Real) -> Real:
    """One of 32 polynomials of degree 5: four for each power of two, between 0.047 and 10. Vectors
    of all widths take this way, so that an element's place makes no difference.
    """
    index = (size.bits() - _PIECES_FROM).most(0) >> _PIECES_SHIFT
    at, *coefficients = zip(*TANH_PIECES, strict=True)
    t = size - looked_up(at, index)
    result = looked_up(coefficients.pop(), index)
    while coefficients:
        result = result.times_plus(t, looked_up(coefficients.pop(), index))
    return result


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
