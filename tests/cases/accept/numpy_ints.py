"""NumPy's integers wrap; their division by zero warns and gives 0; shifts, signs and bits."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f64, i8, i32, i64, u8, u32, u64
from tests.support.cases import case

BYTES = np.array([0, 1, 100, 200, 255], dtype=np.uint8)
SMALL = np.array([-128, -1, 0, 1, 127], dtype=np.int8)
LARGE = np.array([2**63 - 1, -(2**63), -1, 5])


# uint8 wraps at 256.
@case((BYTES,))
def uint8_wraps(x: u8["n"]):
    return x + 100, x - 1, x * 2, -x, x + x


# int8 wraps at 128; the smallest one is its own negative.
@case((SMALL,))
def int8_wraps(x: i8["n"]):
    return x + 1, x - 1, -x, np.abs(x), x * x


# int64 wraps at 2**63.
@case((LARGE,))
def int64_wraps(x: i64["n"]):
    return x + 1, x - 1, x * 2, -x


# NumPy scalars wrap too (with a warning).
@case((np.int64(2**63 - 1),), (np.int64(-5),))
def int64_scalar_wraps(n: np.int64):
    return n + 1, n * 2, -n


# Python ints never do: the same program.
@case((2**63 - 1,), (-5,))
def python_int_does_not_wrap(n: int):
    return n + 1, n * 2, -n


# Floor division and modulo have Python's signs.
@case((np.array([7, -7, 7, -7]), np.array([3, 3, -3, -3])))
def floor_division_and_modulo(a: i64["n"], b: i64["n"]):
    return a // b, a % b, np.fmod(a, b), np.divmod(a, b)


# Division by zero gives 0 and a warning.
@case((np.array([7, -7, 0]), np.array([0, 0, 0])))
def integer_division_by_zero(a: i64["n"], b: i64["n"]):
    return a // b, a % b, a / b


# The smallest integer divided by -1.
@case((np.array([-(2**63), -(2**63) + 1]),))
def smallest_integer_divided_by_minus_one(a: i64["n"]):
    return a // -1, a % -1


# Also as scalars, and not as Python's ZeroDivisionError.
@case((np.int64(7), np.int64(0)), (np.int64(7), np.int64(-2)))
def scalar_division_by_zero(a: np.int64, b: np.int64):
    return a // b, a % b, a / b


# A Python int divided by a Python int raises; with a NumPy int on one side it doesn't.
@case((np.int32(7), 0), (np.int32(7), 2))
def numpy_int_divided_by_python_zero(a: np.int32, n: int):
    return a // n, a % n


# Shifts: by the width or more gives 0, or -1 for negative numbers.
@case((np.array([1, -1, 5], dtype=np.int32), np.array([31, 40, 2], dtype=np.int32)))
def shifts(a: i32["n"], k: i32["n"]):
    return a << k, a >> k, a << 3, a >> 1


# Bitwise operators.
@case((BYTES, BYTES[::-1]))
def bitwise(a: u8["n"], b: u8["n"]):
    return a & b, a | b, a ^ b, ~a, a & 0x0F


# Bits of bools.
@case((np.array([True, False]), np.array([True, True])))
def bits_of_bools(p: b1["n"], q: b1["n"]):
    return p & q, p | q, p ^ q, ~p, p == q, p < q


# `-` of bool arrays is refused by NumPy; their sum is a logical or.
@case((np.array([True, False]), np.array([True, True])))
def arithmetic_of_bools(p: b1["n"], q: b1["n"]):
    return p + q, p * q, p + 1, p * 3, p.sum(), p.mean()


# Integer powers wrap; a negative one raises ValueError.
@case((np.array([2, 3, -2]), 3), (np.array([2, 3, 10]), 40), (np.array([2, 3]), -1))
def integer_powers(x: i64["n"], k: int):
    return x**k


# Sums of int32 are int64 and don't wrap at 2**31.
@case((np.array([2**31 - 1, 2**31 - 1], dtype=np.int32),))
def sums_of_int32(x: i32["n"]):
    return x.sum(), x + x, x.sum(dtype=np.int32), np.cumsum(x)


# Casts cut off bits.
@case((np.array([-1, 255, 256, 70000]),))
def narrowing_casts(x: i64["n"]):
    return x.astype(np.uint8), x.astype(np.int8), x.astype(np.int16), x.astype(np.uint64)


# Casts of floats cut towards zero.
@case((np.array([2.9, -2.9, 0.5, -0.5]),))
def casts_of_floats(x: f64["n"]):
    return x.astype(np.int64), x.astype(np.int8), np.floor(x).astype(int)


# An average of bytes has to be wider.
@case((BYTES, BYTES[::-1]))
def average_of_bytes(a: u8["n"], b: u8["n"]):
    return (a + b) // 2, (a.astype(np.uint16) + b) // 2


# A hash in uint32.
@case((np.array([1, 2, 3], dtype=np.uint32),))
def hash_in_uint32(x: u32["n"]):
    h = x ^ (x >> 16)
    h = h * 0x45D9F3B
    h = h ^ (h >> 16)
    return h


# A xorshift generator in uint64, as scalar.
@case((np.uint64(88172645463325252),), (np.uint64(1),))
def xorshift(state: np.uint64):
    for _ in range(4):
        state = state ^ (state << 13)
        state = state ^ (state >> 7)
        state = state ^ (state << 17)
    return state


# Unsigned subtraction.
@case((np.array([1, 2], dtype=np.uint64), np.array([2, 1], dtype=np.uint64)))
def unsigned_subtraction(a: u64["n"], b: u64["n"]):
    return a - b, b - a, -a, np.maximum(a, b) - np.minimum(a, b)


# gcd and lcm.
@case((np.array([12, 18, -7, 0]), np.array([8, 27, 21, 5])))
def gcd_and_lcm(a: i64["n"], b: i64["n"]):
    return np.gcd(a, b), np.lcm(a, b)
