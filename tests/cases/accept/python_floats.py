"""Python floats: IEEE doubles with Python's own division, modulo, rounding and errors."""

from __future__ import annotations

from tests.support.cases import case

INF = float("inf")
NAN = float("nan")


# The four operations, signs of zero included.
@case((1.5, 2.0), (-0.0, 0.0), (0.0, -0.0), (INF, INF), (NAN, 1.0))
def arithmetic(x: float, y: float):
    return x + y, x - y, x * y, -x, +y


# 0.1 + 0.2 in double precision.
@case((0.1, 0.2), (1e308, 1e308), (5e-324, 0.5))
def doubles_are_doubles(x: float, y: float):
    return x + y, x * y, x + y == 0.3


# Division by zero raises, unlike that of NumPy.
@case((1.0, 0.0), (0.0, -0.0), (1.0, 4.0), (INF, -2.0))
def true_division(x: float, y: float):
    return x / y


@case((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (1.0, 0.0), (INF, 2.0))
def floor_division(x: float, y: float):
    return x // y


@case((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-0.0, 3.0), (1.0, INF), (-1.0, INF), (1.0, 0.0))
def modulo(x: float, y: float):
    return x % y


# divmod is both at once.
@case((7.5, 2.0), (-7.5, 2.0), (1e300, 1e-3))
def quotient_and_remainder(x: float, y: float):
    quotient, remainder = divmod(x, y)
    return quotient, remainder


# A NaN differs from itself and orders with nothing.
@case((NAN, 1.0), (1.0, NAN), (NAN, NAN), (1.0, 1.0))
def comparisons_with_nan(x: float, y: float):
    return x == y, x != y, x < y, x >= y, x == x


# Zero and minus zero are equal, and stay apart.
@case((0.0, -0.0), (-0.0, 0.0))
def signed_zeros(x: float, y: float):
    return x == y, x + y, x - y, min(x, y), max(x, y), x * -1.0


# x + 0.0 is not x, for x = -0.0; x * 0.0 is not 0.0, for x = -1.0, inf and nan.
@case((-0.0,), (-1.0,), (INF,), (NAN,), (3.0,))
def no_unsafe_identities(x: float):
    return x + 0.0, x - 0.0, x * 0.0, x * 1.0, 0.0 - x, x - x


# Sums are evaluated as they are written.
@case((1e16, 1.0, -1e16), (0.1, 0.2, 0.3))
def sums_are_not_reordered(x: float, y: float, z: float):
    return x + y + z, x + (y + z), (x + z) + y


# An integer exponent that is written down.
@case((3.0,), (-2.5,), (0.0,), (INF,))
def constant_powers(x: float):
    return x**2, x**3, x**0, x**1


# A power that is too large: OverflowError.
@case((1e200,), (1e100,))
def power_overflows(x: float):
    return x**2


# Conversions.
@case((2.75,), (-2.75,), (0.0,), (-0.0,))
def conversions(x: float):
    return int(x), bool(x), float(x), complex(x)


# int() of what is no number: ValueError and OverflowError.
@case((NAN,), (INF,), (-INF,), (1e300,))
def int_of_special_values(x: float):
    return int(x)


# round() to an int rounds halves to even.
@case((0.5,), (1.5,), (2.5,), (-0.5,), (2.675,))
def rounding_halves_to_even(x: float):
    return round(x)


@case((2.675,), (-1234.5678,))
def rounding_to_digits(x: float):
    return round(x, 2)


# A float that holds an integer is still a float.
@case((4.0,), (4.5,))
def integral_floats(x: float):
    return x // 1.0, x == int(x), x * 2


# Python's min and max return one of their operands, the first of equal ones, and see no NaN.
@case((1.0, NAN), (NAN, 1.0), (2.0, -3.0))
def builtin_min_and_max(x: float, y: float):
    return min(x, y), max(x, y)


# abs clears the sign.
@case((-0.0,), (-INF,), (-1e-320,))
def absolute_value(x: float):
    return abs(x), abs(-x)
