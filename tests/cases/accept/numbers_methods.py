"""Numbers: methods and attributes of each box, conversions, powers, rounding, complex functions."""

from __future__ import annotations

import cmath
import math

import numpy as np

from staticpy import c128
from tests.support.cases import case


# Attributes and methods of Python's ints.
@case((10,), (-7,), (0,), (2**80,))
def methods_of_ints(n: int):
    return n.bit_length(), n.bit_count(), n.numerator, n.denominator, n.real, n.imag, n.conjugate()


# ... of bools: ints.
@case((True,), (False,))
def methods_of_bools(b: bool):
    return b.real, b.imag, b.bit_length(), b.conjugate(), -b, ~int(b), b + b


# ... of floats.
@case((2.5,), (-3.0,), (0.0,), (-0.0,), (1e300,))
def methods_of_floats(x: float):
    return x.is_integer(), x.real, x.imag, x.conjugate(), x.as_integer_ratio(), x.hex()


# as_integer_ratio of what has none.
@case((math.inf,), (math.nan,), (0.5,))
def ratio_of_a_float(x: float):
    return x.as_integer_ratio()


# ... of complex numbers.
@case((1 + 2j,), (complex(-0.0, -0.0),), (complex(math.inf, math.nan),))
def methods_of_complex(z: complex):
    return z.real, z.imag, z.conjugate(), abs(z), z == z.conjugate()


# ... of NumPy scalars.
@case((np.float64(2.5),), (np.float64(-0.0),))
def methods_of_numpy_scalars(x: np.float64):
    return x.item(), x.dtype, x.shape, x.ndim, x.size, x.real, x.imag, x.conj(), x.is_integer()


# divmod of each pair of kinds and signs.
@case((7, 3), (-7, 3), (7, -3), (7.5, 2), (-7.5, -2.0), (7, 0.0), (7, 0))
def divmods(a, b):
    return divmod(a, b), (a // b, a % b), divmod(b, a)


# pow with two and three arguments, and exponents of each sign.
@case((3, 4), (3, -2), (-2, 3), (0, 0), (2, 0.5), (8, 1 / 3), (0, -1), (2.0, 1000000))
def powers(base, exponent):
    return base**exponent


@case((3, 200, 13), (3, -1, 7), (2, -1, 4), (5, 0, 1), (5, 2, 0), (-3, 3, -5))
def modular_powers(base: int, exponent: int, modulus: int):
    return pow(base, exponent, modulus)


# round: half to even, digits of each sign, the type of the result.
@case((2.5,), (3.5,), (-2.675,), (1e20,))
def rounded_floats(x: float):
    return round(x), round(x, 2), round(x, -1), round(x, 0), round(x, None)


@case((25,), (35,), (-1234,), (5,))
def rounded_ints(n: int):
    return round(n), round(n, 2), round(n, -1), round(n, -2), round(n, -10)  # noqa: RUF057


# int() truncates, floor and ceil don't.
@case((2.7,), (-2.7,), (1e20,), (math.nan,), (math.inf,))
def to_int(x: float):
    return int(x), math.trunc(x), math.floor(x), math.ceil(x)


# Conversions of a value of each kind.
@case((3,), (True,), (2.0,), (np.int32(7),), (np.float32(0.5),))
def conversions(value):
    return float(value), complex(value), bool(value), int(value), str(value)


# Texts that are known while compiling, as numbers.
@case(
    ("12", " -0x1F ", "1e3", "2+3j"), ("0b101", "077", "nan", "j"), ("1_000", "1", "-inf", "1-1j")
)
def numbers_of_texts(a, b, c, d):
    parts = [float(c), complex(d)]
    try:
        parts.append(int(a))
    except ValueError:
        parts.append(int(a, 0))
    try:
        parts.append(int(b, 16))
    except ValueError as error:
        parts.append(str(error))
    return parts


# Functions of `math` that return or take ints.
@case((12, 18), (-12, 18), (0, 0), (17, 5))
def whole_numbers(a: int, b: int):
    return math.gcd(a, b), math.lcm(a, b), math.isqrt(abs(a)), math.comb(abs(a), 2), math.perm(5, 2)


# ... that have domains.
@case((0.5,), (1.0,), (-1.0,), (2.0,), (math.nan,))
def domains(x: float):
    return math.asin(x), math.log1p(x), math.sqrt(x), math.acosh(x + 1)


# ... at the edges of floats.
@case((1.0, 3.0), (-0.0, 0.0), (math.inf, 1.0), (5e-324, 1.0))
def edges_of_floats(x: float, y: float):
    return (
        math.copysign(y, x), math.nextafter(x, y), math.ulp(x), math.frexp(x), math.modf(x),
        math.fmod(y, 2.0), math.remainder(y, 2.0), math.isfinite(x), math.hypot(x, y),
    )  # fmt: skip


# frexp and ldexp, there and back.
@case((0.15625,), (-3e300,), (0.0,))
def taken_apart(x: float):
    mantissa, exponent = math.frexp(x)
    return math.ldexp(mantissa, exponent) == x, mantissa, exponent


# cmath: roots, logarithms, polar form and back.
@case((1 + 1j,), (-4 + 0j,), (complex(-4.0, -0.0),), (3j,))
def complex_functions(z: complex):
    r, phi = cmath.polar(z)
    return cmath.sqrt(z), cmath.exp(z), cmath.log(z), r, phi, cmath.rect(r, phi), cmath.phase(z)


# The roots of a quadratic, complex where they have to be.
@case((1.0, -3.0, 2.0), (1.0, 0.0, 1.0), (2.0, 4.0, 2.0), (0.0, 2.0, 1.0))
def quadratic(a: float, b: float, c: float):
    discriminant = b * b - 4 * a * c
    root = cmath.sqrt(discriminant) if discriminant < 0 else math.sqrt(discriminant)
    return (-b + root) / (2 * a), (-b - root) / (2 * a)


# Powers and quotients of complex numbers.
@case((1 + 2j, 2), (2j, -1), (1j, 1j), (0j, 0), (0j, -1))
def complex_powers(z, w):
    return z**w


@case((1 + 2j, 3 - 1j), (1 + 0j, 0j), (complex(1e200, 1e200), complex(1e200, 1e200)))
def complex_quotients(z: complex, w: complex):
    return z / w, z * w, z - w.conjugate()


# Comparison of numbers across kinds.
@case((1, 1.0), (2**53 + 1, 2.0**53), (True, 1), (1, 1 + 0j), (math.nan, math.nan))
def equal_across_kinds(a, b):
    return a == b, a != b, a in (b, None)


# Bits: shifts, masks, negative numbers.
@case((0b1011, 2), (-5, 1), (1, 100), (1, -1), (2**70, 69))
def bits(n: int, k: int):
    return n << k, n >> k, n & ~k, n | k, n ^ k, -n & 0xFF


# The sum of floats, exactly and in order.
@case(((0.1,) * 10,), ((1e16, 1.0, -1e16),), ((),))
def sums(values):
    return sum(values), math.fsum(values), sum(values, 0.5), math.prod(values)


# Mixed arrays of numbers take the widest kind.
@case((1, 2.5, 3j), (True, 1.0, 0j))
def arrays_of_mixed_numbers(a, b, c):
    return np.array([a, a]), np.array([a, b]), np.array([a, b, c]), np.array([bool(a), b > 0])


# Parts of a complex array are views.
@case(
    (np.array([1 + 2j, -1j]),),
)
def parts_of_complex_arrays(z: c128["n"]):
    z.real[0] = 9.0
    z.imag += 1.0
    return z, abs(z), z.conj(), np.angle(z), z.real.sum()


# Lists of the running program.
@case((5,), (1,), (0,))
def products_and_sums_of_lists(n: int):
    ints = [i + 2**40 for i in range(n)]
    floats = [0.1 * i for i in range(n)]
    squares = math.fsum(x * x for x in floats)
    return math.prod(ints), math.prod(floats[1:], start=2.0), math.fsum(floats), squares


@case((3,), (0,))
def product_of_other_types(n: int):
    return math.prod([i + 0.5 for i in range(n)]), math.prod(range(1, n + 1)), math.fsum(range(n))


@case((3,), (0,))
def distance_of_lists(n: int):
    p = [1.0 * i for i in range(n)]
    q = [i * i for i in range(n)]
    return math.dist(p, q), math.dist(p, q[::-1])


@case(
    (3,),
)
def distance_of_other_lengths(n: int):
    return math.dist([1.0 * i for i in range(n)], [1.0 for i in range(n + 1)])


# The items of dicts and sets: those of the running program, and those that are written down.
@case(({"a": 2, "b": 3.5},), ({},), ({"c": True},))
def sequences_of_dicts(table):
    doubled = {}
    for key, value in table.items():
        doubled[key] = value * 2
    prod, fsum = math.prod(doubled.values()), math.fsum(table.values())
    array = np.fromiter(table.values(), dtype=float)
    return prod, fsum, array, math.prod({2: 1, 3: 1}), math.fsum({2, 1})
