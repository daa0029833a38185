"""Builtin functions on numbers; `math`, `cmath` and `operator`."""

from __future__ import annotations

import cmath
import math
import operator

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.25, 2.75])
K = np.array([3, -4, 5])


# abs of each kind of number.
@case((-3, -2.5, X), (0, -0.0, X[:0]))
def absolute_values(n: int, x: float, a: f64["n"]):
    return abs(n), abs(x), abs(a), abs(complex(n, 4)), abs(n > 0)


# round: half to even, to digits, to tens; ints stay ints.
@case((2.5, 1250), (-0.5, -15), (2.675, 7), (1e300, 10**20))
def rounding(x: float, n: int):
    return round(x), round(x, 1), round(x, 0), round(n, -2), round(n), round(n, 2)


# round of what has no integer.
@case((math.inf,), (math.nan,), (1.5,))
def rounding_of_infinity(x: float):
    return round(x)


# The number of digits is known at run time only.
@case((3.14159, 2), (3.14159, 0), (31415.9, -3))
def rounding_to_a_run_time_digit(x: float, digits: int):
    return round(x, digits)


# divmod follows Python's signs.
@case((7, 2, 7.5), (-7, 2, -7.5), (7, -2, 0.0), (7, 0, 1.0))
def quotient_and_remainder(a: int, b: int, x: float):
    return divmod(a, b), divmod(x, b), divmod(a, -2.5)


# divmod of arrays.
@case(
    (X, K),
)
def divmod_of_arrays(x: f64["n"], k: i64["n"]):
    q, r = divmod(x, 2)
    return q, r, divmod(k, 3)


# pow with two and three arguments.
@case((2, 10), (3, 0), (-2, 3))
def powers(a: int, b: int):
    return pow(a, b), pow(a, 2), pow(float(a), b), pow(a, 0.5) if a > 0 else a


@case((3, 200, 7), (10, 5, 1), (2, 3, -5))
def modular_power(a: int, b: int, m: int):
    return pow(a, b, m), pow(a, 3, m)


@case((2, 0), (2, 3))
def modular_power_by_zero(a: int, m: int):
    return pow(a, 5, m)


# int from floats goes towards zero; from texts; from NumPy's scalars.
@case((2.9,), (-2.9,), (1e20,), (-0.0,))
def int_of_a_float(x: float):
    return int(x), int(x > 1), int("42"), int("-101", 2), int(np.float64(x)), int()


@case((math.inf,), (math.nan,), (2.0,))
def int_of_no_number(x: float):
    return int(x)


# float and complex.
@case((3, 2.5), (-1, -0.0))
def floats_and_complex(n: int, x: float):
    return float(n), float("1e3"), float(), complex(n, x), complex(x), complex(), float(n > 0)


# bool of numbers.
@case((0, 0.0, 0j), (1, -0.5, 1j), (-1, math.nan, -0.0 + 0j))
def truth_of_numbers(n: int, x: float, z: complex):
    return bool(n), bool(x), bool(z), bool(), not n, not x


# min and max: of arguments, of a tuple, with a default, of equal values.
@case((3, 2, 5), (2, 2, 2), (-1, 0, -1))
def smallest_and_largest(a: int, b: int, c: int):
    return (
        min(a, b),
        max(a, b, c),
        min((a, b, c)),
        max([a]),
        min((), default=a),
        max([b], default=a),
    )


# With a key: the first of equals wins.
@case((3, -3, 2), (-2, 2, 2), (0, 5, -6))
def selection_by_a_key(a: int, b: int, c: int):
    return (
        min(a, b, c, key=abs),
        max((a, b, c), key=lambda v: v * v),
        max([a, b, c], key=lambda v: -v),
        min([(a, "x"), (b, "y")], key=lambda pair: pair[0])[1] if a != b else "same",
    )


# An int or a float: the one that is larger.
@case((3, 2.5), (2, 2.5), (2, 2.0))
def selection_of_two_types(n: int, x: float):
    return max(n, x), min(n, x), max(x, n)


# min and max of arrays of rank 1, and nan.
@case((X,), (np.array([np.nan, 1.0]),), (np.array([1.0, np.nan]),))
def selection_of_an_array(x: f64["n"]):
    return min(x), max(x)


# An empty sequence has no smallest value.
@case((0,), (2,))
def selection_of_nothing(n: int):
    return min(np.arange(n)), max(range(n))


# sum: of numbers, with a start, of arrays, of texts' lengths.
@case((1, 2.5, X))
def sums(n: int, x: float, a: f64["n"]):
    return sum((n, x)), sum([n, n], 10), sum((a, a * 2.0)), sum([a], x), sum([]), sum(a)


# sum of a range with run-time bounds.
@case((2, 9), (5, 2))
def sum_of_a_range(a: int, b: int):
    return sum(range(a, b)), sum(range(b, a, -2), a)


# Tuples are added by sum with a start.
@case((1, 2))
def sum_of_tuples(a: int, b: int):
    return sum([(a, b), (b,)], ()), sum([[a], [b, a]], [])


# any and all: the first that decides ends it.
@case((1, 0), (0, 1), (0, 0), (2, 3))
def any_and_all(a: int, b: int):
    return any((a, b)), all([a, b]), any(()), all([]), any([a > b, a < b])


# any and all of an array.
@case((X > 0,), (X > 5,), ((X > 5)[:0],))
def any_and_all_of_an_array(flags):
    return any(flags), all(flags)


# --- math -----------------------------------------------------------------------------------------


@case((0.5, 2), (2.0, 3), (1e-3, 0))
def elementary_functions(x: float, n: int):
    return (
        math.sin(x) ** 2 + math.cos(x) ** 2,
        math.exp(-x) * math.exp(x),
        math.log(x) + math.log(x, 2) + math.log10(x) + math.log1p(x),
        math.sqrt(x * n),
        math.pow(x, n),
        math.atan2(x, n),
        math.hypot(x, n, 1.0),
        math.tanh(x) + math.erf(x) + math.gamma(x),
    )


# The result is Python's float, whatever the box of the argument.
@case((4, 2.25, X), (0, 0.0, np.abs(X)))
def boxes_of_math_functions(n: int, x: float, a: f64["n"]):
    return math.sqrt(n), math.sqrt(x), math.fabs(a[0]), math.exp(np.float32(x)), math.sqrt(n > 0)


# Domain errors are ValueErrors, overflows OverflowErrors.
@case((-1.0,), (0.0,), (2.0,))
def logarithm(x: float):
    return math.log(x)


@case((1e3,), (1.0,))
def exponential(x: float):
    return math.exp(x)


@case((-1.0,), (4.0,))
def root_or_nothing(x: float):
    try:
        return math.sqrt(x)
    except ValueError:
        return None


# Towards minus infinity, plus infinity, zero: ints of any size.
@case((2.5,), (-2.5,), (1e300,), (-0.0,))
def whole_parts(x: float):
    return math.floor(x), math.ceil(x), math.trunc(x), math.modf(x), math.floor(x) // 7


@case((math.inf,), (math.nan,))
def floor_of_no_number(x: float):
    return math.floor(x)


@case((12, 18), (0, 0), (-12, 8), (7, 0))
def divisors_and_multiples(a: int, b: int):
    return math.gcd(a, b), math.lcm(a, b), math.gcd(a, b, 9), math.gcd(), math.lcm(a)


@case((5, 2), (20, 10), (3, 5), (0, 0))
def combinatorics(n: int, k: int):
    return math.factorial(n), math.comb(n, k), math.perm(n, k), math.perm(k), math.isqrt(n)


@case((-1,), (4,))
def combinatorics_of_a_negative_number(n: int):
    return math.isqrt(n), math.factorial(n)


@case((0.1, math.nan), (math.inf, -math.inf), (0.3, -0.0))
def predicates(x: float, y: float):
    return (
        math.isnan(x),
        math.isnan(y),
        math.isinf(x),
        math.isfinite(y),
        math.isclose(x, 0.1 + 1e-12),
        math.isclose(x, y, rel_tol=0.5, abs_tol=1.0),
        math.copysign(x, y),
    )


@case(
    (0.1, 0.2, 0.3),
)
def exact_sums_and_products(a: float, b: float, c: float):
    return (
        math.fsum((a, b, c)),
        math.fsum([a] * 10),
        math.prod((a, b, c)),
        math.prod([3, 4], start=a),
    )


@case((X,), (X[:0],))
def exact_sum_of_an_array(x: f64["n"]):
    return math.fsum(x), math.dist(x, x * 2.0)


@case((8.5, 3), (-0.75, -2))
def binary_forms(x: float, n: int):
    mantissa, exponent = math.frexp(x)
    return mantissa, exponent, math.ldexp(x, n), math.fmod(x, 3), math.remainder(x, n)


# Constants are numbers that are known while compiling.
@case((2.0,))
def circle(radius: float):
    turns = math.tau / math.pi
    return math.pi * radius**2, turns, -math.inf < radius < math.inf, math.degrees(math.pi)


# --- cmath ----------------------------------------------------------------------------------------


@case((1 + 1j, -4.0), (-1 + 0j, 2.0), (0j, 0.0))
def complex_functions(z: complex, x: float):
    return cmath.exp(z), cmath.sqrt(x), cmath.phase(z), cmath.polar(z), cmath.rect(x, 0.5)


@case((0j,), (1j,))
def complex_logarithm(z: complex):
    return cmath.log(z), cmath.isfinite(z)


# Roots of a quadratic equation, real or complex.
@case((1.0, -3.0, 2.0), (1.0, 0.0, 1.0), (1.0, 2.0, 1.0), (0.0, 1.0, 1.0))
def quadratic_roots(a: float, b: float, c: float):
    root = cmath.sqrt(b * b - 4.0 * a * c)
    return (-b + root) / (2.0 * a), (-b - root) / (2.0 * a)


# --- operator -------------------------------------------------------------------------------------


@case((7, 3), (-7, 2))
def operators_as_functions(a: int, b: int):
    return (
        operator.add(a, b) * operator.sub(a, b),
        operator.truediv(a, b) + operator.floordiv(a, b) + operator.mod(a, b),
        operator.pow(a, b),
        operator.xor(a, b),
        operator.lshift(a, b),
        operator.neg(a),
        operator.lt(a, b),
        operator.ne(a, b),
        operator.not_(a),
        operator.truth(b),
    )


@case((X, K))
def operators_on_arrays(x: f64["n"], k: i64["n"]):
    return operator.mul(x, k), operator.matmul(x, x), operator.getitem(x, 1), operator.abs(x)


@case((X.copy(), 2.0))
def operator_in_place(x, k):
    y = x * 1.0
    z = operator.iadd(y, k)
    n = operator.iadd(1, 2)
    return y, z is y, n


@case(((3, 1, 2), 4))
def items_by_getter(items, n):
    first = operator.itemgetter(0)
    ends = operator.itemgetter(0, -1)
    return first(items), ends(items), sorted([(n, 1), (2, 5)], key=operator.itemgetter(1))


@case((2 - 3j,))
def attributes_by_getter(z: complex):
    parts = operator.attrgetter("real", "imag")
    conjugate = operator.methodcaller("conjugate")
    return parts(z), conjugate(z)


# Letters and numbers, and what is neither.
@case((97, 2.5), (-1, 2.5))
def letters_and_numbers(n: int, x: float):
    found = []
    for function, value in ((ord, [1]), (ord, n), (chr, x), (bin, "a"), (hex, None), (oct, (n,))):
        try:
            found.append(function(value))
        except TypeError as error:
            found.append(str(error))
    return found, ord("a"), ord(b"a"), chr(n)


# More numbers than an array can have.
@case((3,), (2**70,))
def too_many_numbers(n: int):
    try:
        return np.arange(2**70)
    except ValueError:
        return np.arange(n)


# Texts in other bases, which may be known at run time only.
@case(("12", 3), ("7f", 16), ("0x1", 0), ("12", 1), ("9", 8))
def texts_in_bases(text, base: int):
    try:
        return int(text, 16), int(text, base)
    except ValueError:
        return int("11", np.int64(2)), int("11", base=True + 1)


# What is no base, no part of a complex number, no start of a sum.
@case((2,))
def no_bases(n: int):
    found = []
    for attempt in range(5):
        try:
            if attempt == 0:
                int("12", None)
            elif attempt == 1:
                int(n, 10)
            elif attempt == 2:
                complex(n, None)
            elif attempt == 3:
                sum([], "")
            else:
                operator.concat(n, n)
        except TypeError:
            found.append(attempt)
    return found


# Floats are no bounds of a range, also where they are equal to bools.
@case((2.0,), (1.0,), (-0.0,))
def floats_as_bounds(x: float):
    found = []
    for bounds in ((1.0,), (-0.0,), (0, 0.0), (0, 3, 1.0), (x,), (True,), (False, True)):
        try:
            found.append(list(range(*bounds)))
        except TypeError as error:
            found.append(str(error))
    return found


# What Python says of what it can make no number of.
@case(([1],), ((1, 2),), ({"a": 1},), (None,))
def no_numbers(x):
    said = []
    for convert in (int, float, complex):
        try:
            convert(x)
        except TypeError as error:
            said.append(str(error))
    return said
