"""NEP 50: the dtype of a result follows from dtypes and boxes, never from values."""

from __future__ import annotations

import numpy as np

from staticpy import b1, c64, f16, f32, f64, i8, i16, i32, i64, u8, u64
from tests.support.cases import case

F32 = np.array([1.5, -2.0, 4.0], dtype=np.float32)
F64 = np.array([0.1, 0.2, 0.3])
I8 = np.array([100, -100, 7], dtype=np.int8)
U8 = np.array([200, 100, 7], dtype=np.uint8)
I32 = np.array([1, -2, 3], dtype=np.int32)
I64 = np.array([1, -2, 3])


# Python scalars are weak: they take the dtype of the array.
@case((F32,))
def python_scalars_are_weak(x: f32["n"]):
    return x + 1, x * 2.5, 1 / x, x**2, x > 0.1


@case((F32, 3, 0.1), (F32, -1, 1e-50))
def weak_arguments(x: f32["n"], n: int, y: float):
    return x + n, x * y, n - x, y / x


# NumPy scalars are not.
@case((F32, np.float64(0.1)))
def numpy_scalars_are_strong(x: f32["n"], y: np.float64):
    return x + y, y * x, x - np.float32(0.1)


# A Python float makes an integer array a float64 array.
@case((I64,), (np.array([], dtype=np.int64),))
def integer_array_and_a_python_float(x: i64["n"]):
    return x + 1.0, x * 0.5, x / 2, x // 2, x % 2


# ... of int8 a float64 array too.
@case((I8,))
def int8_array_and_python_scalars(x: i8["n"]):
    return x + 1, x * 2, x + 1.0, x > 1.5, -x


# A Python int that doesn't fit: OverflowError.
@case((U8, 55), (U8, 300), (U8, -1))
def python_int_must_fit(x: u8["n"], n: int):
    return x + n


# Comparisons know better: any int compares.
@case((U8, 300), (U8, -1), (U8, 200), (U8, 2**70))
def python_int_compares_exactly(x: u8["n"], n: int):
    return x < n, x == n


# Two arrays promote to the smallest dtype that holds both.
@case((I8, U8, I32, F32))
def two_arrays(a: i8["n"], b: u8["n"], c: i32["n"], d: f32["n"]):
    return a + b, a + c, b + c, c + d, a + d, b * d


# Signed and unsigned 64-bit integers meet in float64.
@case((I64, np.array([1, 2, 2**63], dtype=np.uint64)))
def signed_and_unsigned_64(a: i64["n"], b: u64["n"]):
    return a + b, a * b


# Division of integers is float64, whatever their size (float16 for int8).
@case((I8, I32))
def true_division_of_integers(a: i8["n"], b: i32["n"]):
    return a / b, a / a, b / 2, a / 2


# Half precision.
@case((np.array([1.0, 0.1], dtype=np.float16), np.array([2, 3], dtype=np.int16)))
def half_precision(x: f16["n"], n: i16["n"]):
    return x + 1, x * 0.1, x + n, x * x


# Bools promote to whatever they meet.
@case((np.array([True, False, True]), I8, F32))
def bools_promote(p: b1["n"], n: i8["n"], x: f32["n"]):
    return p + n, p * x, p + 1, p * 2.5, p + p, p & p


# Complex.
@case((F32, F64, np.array([1j, 2.0, -1j], dtype=np.complex64)))
def complex_promotes(x: f32["n"], y: f64["n"], z: c64["n"]):
    return x + 1j, z + x, z * y, z + 1.5, y * 1j


# Functions that need floats.
@case((I8, I64, U8))
def float_functions_of_integers(a: i8["n"], b: i64["n"], c: u8["n"]):
    return np.sqrt(np.abs(b)), np.exp(a / 64), np.sin(c), np.cos(b)


# Scalars of NumPy: the same rules.
@case((np.float32(0.1), np.float64(0.1), np.int8(7)))
def numpy_scalars(x: np.float32, y: np.float64, n: np.int8):
    return x + 1, x + 0.1, x + y, n + 1, n + x, n * 1.5, n / n


# A NumPy scalar with a Python float compares in its own precision.
@case((np.float32(0.1), 0.1), (np.float64(0.1), 0.1))
def comparisons_in_the_own_precision(x, y):
    return x == y, x < y, x + 0 == y


# A chain of operations keeps float32.
@case((F32, 0.5))
def float32_stays_float32(x: f32["n"], rate: float):
    y = x
    for i in range(3):
        y = y - rate * (y * 2 + i) / (1 + i)
    return np.tanh(y) * 0.5 + 1


# where() promotes its choices.
@case((F32, I32))
def where_promotes(x: f32["n"], n: i32["n"]):
    return np.where(x > 0, x, n), np.where(x > 0, x, 0.0), np.where(x > 0, n, 1)


# concatenate promotes.
@case((F32, I64, U8))
def concatenate_promotes(x: f32["n"], n: i64["m"], k: u8["k"]):
    return np.concatenate([x, n]), np.concatenate([k, x]), np.concatenate([k, n])


# maximum and minimum with a Python scalar.
@case((F32, U8))
def maximum_with_python_scalars(x: f32["n"], k: u8["n"]):
    return np.maximum(x, 0), np.minimum(x, 0.1), np.maximum(k, 150), np.clip(x, -1, 1)


# Sums widen small integers, not floats.
@case((I8, U8, F32, np.array([True, True, False])))
def sums_widen(a: i8["n"], b: u8["n"], x: f32["n"], p: b1["n"]):
    return a.sum(), b.sum(), x.sum(), p.sum(), a.mean(), x.mean(), b.prod()


# dtype= decides.
@case((I8, F32))
def explicit_dtypes(a: i8["n"], x: f32["n"]):
    return a.sum(dtype=np.int8), x.sum(dtype=np.float64), np.zeros(2, dtype=np.int16) + 1


# astype to every kind.
@case((F64 * 10,))
def casts(x: f64["n"]):
    return x.astype(np.int32), x.astype(np.uint8), x.astype(bool), x.astype("float32")


# A power with a Python int keeps the dtype; with a float it is a float.
@case((I32, F32))
def powers(n: i32["n"], x: f32["n"]):
    return n**2, x**2, n**2.0, x**0.5, n ** n[0]
