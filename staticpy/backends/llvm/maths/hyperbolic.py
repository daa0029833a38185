"""tanh: of f32 by a table of polynomials where the processor has AVX-512, else by e^2|x|."""

from __future__ import annotations

import math

from staticpy.backends.llvm.maths.coefficients import EXP_ACCURATE, TANH_PIECES
from staticpy.backends.llvm.maths.exponentials import LN2, expm1_parts, quotient
from staticpy.backends.llvm.maths.expression import (
    Real,
    fast_two_sum,
    nearest,
    polynomial_by_pairs,
    power_of_two,
    two_sum,
)
from staticpy.backends.llvm.maths.tables import looked_up

_MOST = {"f64": 20.0, "f32": 10.0}
"""From here on no other number is nearer to the result than 1."""

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
    """(1 - e) / (1 + e) with e = e^-2x = 2^k (1 + q): 1 - e = (1 - 2^k) - 2^k q is -q for small x,
    with all its digits.
    """
    k = nearest(size, -2.0 / math.log(2))
    first, second = LN2["f32"]
    r = k.number.times_plus(-second, k.number.times_plus(-first, size * -2.0))
    q = (r * r).times_plus(polynomial_by_pairs(r, EXP_ACCURATE["f32"]), r)
    power = power_of_two(k.bits)
    return q.times_plus(-power, 1.0 - power) / q.times_plus(power, 1.0 + power)
