"""Python ints: unbounded, floor division and modulo by Python's signs, bits, ZeroDivisionError."""

from __future__ import annotations

from tests.support.cases import case

BIG = 2**64 + 12345


# Addition, subtraction, multiplication, and the signs.
@case((7, 3), (-7, 3), (0, 0), (True, 2))
def arithmetic(a, b):
    return a + b, a - b, a * b, -a, +b


# `/` of two ints is a float.
@case((7, 2), (-1, 3), (0, -5))
def true_division_gives_a_float(a: int, b: int):
    return a / b


# `//` rounds down, `%` takes the sign of the divisor.
@case((7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5))
def floor_division_and_modulo(a: int, b: int):
    return a // b, a % b


# What was taken apart fits together again.
@case((17, 5), (-17, 5), (17, -5), (-17, -5))
def quotient_and_remainder_recombine(a: int, b: int):
    q, r = divmod(a, b)
    return q, r, q * b + r == a


# Division by zero: ZeroDivisionError, whatever the operator.
@case((1, 0), (0, 0), (6, 3))
def true_division_by_zero(a: int, b: int):
    return a / b


@case((1, 0), (-1, 0), (6, 4))
def floor_division_by_zero(a: int, b: int):
    return a // b


@case((1, 0), (6, 4))
def modulo_by_zero(a: int, b: int):
    return a % b


# A division whose result nobody uses raises all the same.
@case((1, 0), (1, 1))
def unused_division_by_zero(a: int, b: int):
    a // b
    return a + b


# Sums and products beyond 64 bits are exact.
@case((2**63 - 1,), (2**62,), (-(2**63),))
def sums_beyond_64_bits(n: int):
    return n + 1, n + n, n - 2**63


@case((2**40,), (-(2**50) - 1,), (3,))
def products_beyond_64_bits(n: int):
    return n * n, n * n * n


# So are arguments that don't fit into 64 bits.
@case((BIG, 97), (-BIG, 97), (BIG, -97))
def big_arguments(n: int, k: int):
    return n + k, n * k, n // k, n % k, n & k, n >> 5


# Factorials grow as they like.
@case((0,), (1,), (20,), (21,), (60,))
def factorial(n: int):
    product = 1
    for i in range(1, n + 1):
        product *= i
    return product


# Fibonacci numbers pass 64 bits at the 93rd.
@case((0,), (1,), (92,), (93,), (300,))
def fibonacci(n: int):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# A power with an exponent that is written down.
@case((3,), (-3,), (0,), (10**10,))
def constant_powers(n: int):
    return n**0, n**1, n**2, n**3, n**13


# Powers bind tighter than a minus on their left, and to the right.
@case((2,), (-3,))
def precedence_of_power(n: int):
    return -(n**2), -(n**2) + (-n) ** 2, 2**3**2


# Bitwise operators are those of two's complement with infinitely many digits.
@case((12, 10), (-12, 10), (-1, 255), (0, -1))
def bitwise(a: int, b: int):
    return a & b, a | b, a ^ b, ~a


# A left shift never loses a bit; a right shift rounds down.
@case((1, 70), (-1, 3), (5, 0), (-8, 2))
def shifts(n: int, k: int):
    return n << k, n >> k


# A negative shift count: ValueError.
@case((1, -1), (1, 2))
def negative_shift_count(n: int, k: int):
    return n << k


# Comparisons are exact, also against floats.
@case((2**53,), (2**53 + 1,), (-(2**53) - 1,))
def comparison_with_floats_is_exact(n: int):
    limit = 9007199254740992.0
    return n == limit, n > limit, n < -limit, n >= limit


# An int too large for a float: OverflowError.
@case((10**400,), (10**300,))
def conversion_to_float_overflows(n: int):
    return float(n)


# An int and a float: the int becomes a float.
@case((3, 0.5), (2**53 + 1, 0.0), (-3, -0.0))
def mixed_with_floats(n: int, x: float):
    return n + x, n - x, n * x, x - n


# abs, min, max of ints are ints.
@case((-4, 3), (4, -3), (2**70, -(2**70)))
def builtin_functions(a: int, b: int):
    return abs(a), min(a, b), max(a, b), abs(a - b), min(a, b, 0), max(a, b, 1)


# A hash-like mix stays exact without masks, and wraps only where the program masks.
@case((12345,), (2**31 - 1,))
def linear_congruence(seed: int):
    state = seed
    for _ in range(5):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return state, state * state


# int() cuts towards zero, `//` rounds down.
@case((7.9,), (-7.9,), (-0.5,))
def truncation_is_not_floor(x: float):
    return int(x), x // 1, int(x // 1)
