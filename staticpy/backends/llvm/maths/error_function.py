"""erf: x + x p(x²) where x is small; else 1 - e^q(|x|) with a polynomial q, the logarithm of erfc.

Where erfc is small, its error counts little: q is fitted with erfc as the weight.
"""

from __future__ import annotations

from staticpy.backends.llvm.maths.coefficients import ERF, LOG_ERFC
from staticpy.backends.llvm.maths.exponentials import power_parts, reduced
from staticpy.backends.llvm.maths.expression import (
    Exponent,
    Real,
    fast_two_sum,
    polynomial,
    power_of_two,
)

_SMALL = 0.8125
"""Below this the sum is the more exact one."""

_MOST = {"f64": 5.95, "f32": 4.0}
"""From here on no other number is nearer to the result than 1."""


def erf(x: Real) -> Real:
    """The error function: of |x|, and then with the sign of x."""
    scalars = x.scalars
    most = scalars.key(_MOST[scalars.dtype])
    size = x.magnitude_bits().least(most, is_signed=True).real()
    near = size.times_plus(polynomial(size * size, ERF[scalars.dtype]), size)
    power, k = _erfc(size - 1.0)
    far = power.times_plus(-power_of_two(k.bits), 1.0)
    result = size.below(_SMALL).select(near, far)
    return x.if_nan((result.bits() | x.sign_bit()).real())


def _erfc(t: Real) -> tuple[Real, Exponent]:
    """(p, k) with erfc(1 + t) = 2^k p. In f64 the logarithm has what its last sum lost, and its
    first coefficient.
    """
    first, lost, *rest = LOG_ERFC[t.scalars.dtype]
    if t.scalars.dtype == "f32":
        return power_parts(polynomial(t, (first, *rest)))
    high, low = fast_two_sum(t.scalars.real(first), t * polynomial(t, rest))
    r, s, k = reduced(high, low + lost)
    return 1.0 + (r + s), k
