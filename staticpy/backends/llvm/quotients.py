"""Many floats divided by one: by its reciprocal, with the bits of a division.

In: a divisor, then vectors of dividends. Out: the quotients, rounded once. A division of vectors
takes the processor 10 to 16 cycles, these three operations 2:

    r = 1 / y       once
    q = x r
    x / y = q + r (x - q y)         two fused multiply-adds: x - q y is exact

That the result is the one of the division, wherever nothing underflows or overflows, was shown by
P. Markstein (Computation of elementary functions on the IBM RISC System/6000 processor, 1990); see
N. Brisebarre, J.-M. Muller, S. K. Raina, Accelerating correctly rounded floating-point division
when the divisor is known in advance, 2004. Other dividends, infinities, NaN and zeros are among
them, are divided, and so are all where the divisor is such a one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.maths.expression import Bits, Condition, Real, Scalars, scalars_of
from staticpy.backends.llvm.vectors import all_computed, splat

_LEAST = {"f32": 2.0**-63, "f64": 2.0**-511}
"""The least usual dividend. The largest is below ``4 / _LEAST``: between the two are half of all
exponents, so that the highest one of the exponent's bits in ``x - _LEAST``, of integers, says what
x is. The rest that a quotient leaves, which has twice as many bits, is no subnormal number.
"""

_DIVISORS = {"f32": (2.0**-30, 2.0**30), "f64": (2.0**-400, 2.0**400)}


@dataclass(frozen=True)
class Divisor:
    """A divisor, its reciprocal, and bits, which are all zero where the divisor is a usual one.
    Numbers, or vectors of them.
    """

    number: ir.Value
    reciprocal: ir.Value
    unusual: ir.Value

    @classmethod
    def of(cls, builder: ir.IRBuilder, number: ir.Value, known: np.floating | None) -> Divisor:
        """What can be said of a number before there are dividends; more if the program's text says
        which it is, and it is a usual one.
        """
        scalars = scalars_of(builder, number)
        least, last = _DIVISORS[scalars.dtype]
        if known is not None and least <= abs(known) < last:
            reciprocal = scalars.real(float(1 / known))
            return cls(scalars.real(float(known)).value, reciprocal.value, scalars.bits(0).value)
        y = Real(scalars, number)
        is_usual = _is_within(y, least, last)
        # No flag may be raised for what isn't divided: LLVM would divide before it selects.
        divisor = all_computed(builder, is_usual.select(y, 1.0).value)
        unusual = is_usual.choose(scalars.bits(0), scalars.bits(_highest(scalars)))
        return cls(number, (1.0 / Real(scalars, divisor)).value, unusual.value)

    def spread(self, builder: ir.IRBuilder, width: int) -> Divisor:
        """The same for vectors."""
        parts = (self.number, self.reciprocal, self.unusual)
        return Divisor(*(splat(builder, part, width) for part in parts))

    def quotient(self, builder: ir.IRBuilder, dividend: ir.Value) -> ir.Value:
        """``dividend / number``; both are vectors."""
        scalars = scalars_of(builder, dividend)
        x, y, r = (Real(scalars, each) for each in (dividend, self.number, self.reciprocal))
        distance = x.bits() - scalars.key(_LEAST[scalars.dtype])
        is_unusual = (distance | Bits(scalars, self.unusual)).has(_highest(scalars))
        with builder.if_else(is_unusual, likely=False) as (then, otherwise):
            with then:
                divided, after_division = x / y, builder.block
            with otherwise:
                q = x * r
                multiplied = r.fused((-q).fused(y, x), q)
                after_product = builder.block
        found = builder.phi(dividend.type)
        found.add_incoming(divided.value, after_division)
        found.add_incoming(multiplied.value, after_product)
        return found


def _is_within(number: Real, least: float, last: float) -> Condition:
    """Whether a magnitude is from ``least`` on and below ``last``."""
    scalars = number.scalars
    low, high = scalars.key(least), scalars.key(last)
    return (number.magnitude_bits() - low).is_under(high - low)


def _highest(scalars: Scalars) -> int:
    """The highest bit of the exponent."""
    return scalars.sign >> 1
