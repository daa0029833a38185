"""NumPy's elementwise functions, family by family, over arrays, scalars and broadcast operands."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f32, f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.25, 2.0, 0.0, -0.0])
POSITIVE = np.array([0.25, 1.0, 3.5, 1e-8])
SPECIAL = np.array([np.nan, np.inf, -np.inf, 1.0, -0.0])
UNIT = np.array([-1.0, -0.3, 0.0, 0.9, 1.0])


# Arithmetic.
@case((X, POSITIVE[:1]), (X, np.array([2.0])), (SPECIAL, SPECIAL[::-1]))
def arithmetic(x: f64["n"], y: f64["m"]):
    return x + y, x - y, x * y, x / y, x // y, x % y, -x, +x


# The same by the names of the functions.
@case((X, np.array([2.0])))
def arithmetic_by_name(x: f64["n"], y: f64["m"]):
    return np.add(x, y), np.subtract(x, y), np.multiply(x, y), np.divide(x, y), np.negative(x)


@case((X, np.array([-2.0])))
def remainders(x: f64["n"], y: f64["m"]):
    return np.floor_divide(x, y), np.mod(x, y), np.fmod(x, y), np.remainder(x, y)


# Powers and roots.
@case((POSITIVE,), (SPECIAL,))
def powers_and_roots(x: f64["n"]):
    return x**2, x**0.5, np.sqrt(x), np.cbrt(x), np.square(x), np.power(x, 3), np.reciprocal(x)


# Exponentials and logarithms.
@case((POSITIVE,), (SPECIAL,))
def exponentials(x: f64["n"]):
    return np.exp(x), np.exp2(x), np.expm1(x)


@case((POSITIVE,), (SPECIAL,), (X,))
def logarithms(x: f64["n"]):
    return np.log(x), np.log2(x), np.log10(x), np.log1p(x)


@case((X, POSITIVE[0]), (SPECIAL, np.float64(1.0)))
def log_of_sums(x: f64["n"], y: np.float64):
    return np.logaddexp(x, y), np.logaddexp2(x, y)


# Trigonometry.
@case((X,), (SPECIAL,))
def trigonometry(x: f64["n"]):
    return np.sin(x), np.cos(x), np.tan(x), np.sin(x) ** 2 + np.cos(x) ** 2


@case((UNIT,), (X,))
def inverse_trigonometry(x: f64["n"]):
    return np.arcsin(x), np.arccos(x), np.arctan(x), np.arctan2(x, 1.0)


@case((X,), (SPECIAL,))
def hyperbolic(x: f64["n"]):
    return np.sinh(x), np.cosh(x), np.tanh(x), np.arcsinh(x), np.arctanh(x * 0.1)


@case((X,))
def angles(x: f64["n"]):
    return np.deg2rad(x), np.rad2deg(x), np.degrees(x), np.radians(x), np.hypot(x, 2.0)


# Rounding.
@case((np.array([0.5, 1.5, -0.5, 2.4, -2.6]),), (SPECIAL,))
def rounding(x: f64["n"]):
    return np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.round(x)


@case((np.array([1.2345, -9.8765, 1234.5]),))
def rounding_to_digits(x: f64["n"]):
    return np.round(x, 2), x.round(1), np.round(x, -2)


# Sign and magnitude.
@case((X,), (SPECIAL,))
def signs(x: f64["n"]):
    return np.abs(x), np.sign(x), np.signbit(x), np.copysign(x, -1.0), np.fabs(x), abs(x)


# Comparisons.
@case((X, X[::-1]), (SPECIAL, X))
def comparisons(x: f64["n"], y: f64["n"]):
    return x < y, x <= y, x > y, x >= y, x == y, x != y


# Tests of floats.
@case((SPECIAL,))
def tests_of_floats(x: f64["n"]):
    return np.isnan(x), np.isinf(x), np.isfinite(x)


# Logic on truth values.
@case((X, np.array([True, False, True, True, False])))
def logic(x: f64["n"], p: b1["n"]):
    return np.logical_and(x, p), np.logical_or(x, p), np.logical_not(x), np.logical_xor(x, p)


# Minimum and maximum hand on NaN; fmin and fmax don't.
@case(
    (SPECIAL, X),
)
def minimum_and_maximum(x: f64["n"], y: f64["n"]):
    return np.minimum(x, y), np.maximum(x, y), np.fmin(x, y), np.fmax(x, y)


# clip.
@case((X,), (SPECIAL,))
def clip(x: f64["n"]):
    return np.clip(x, -1.0, 1.0), x.clip(0.0, 0.25), np.clip(x, None, 0.0)


# clip with bounds that are arrays.
@case((X, X - 0.5, X + 0.5), (X, X + 1.0, X - 1.0))
def clip_by_arrays(x: f64["n"], low: f64["n"], high: f64["n"]):
    return np.clip(x, low, high)


# where.
@case(
    (X, 7.0),
)
def where(x: f64["n"], y: float):
    return np.where(x > 0.0, x, y), np.where(x > 0.0, 1, 0), np.where(np.isnan(x), 0.0, x)


# Broadcasting: rows, columns and scalars.
@case((np.ones((2, 3)), np.array([1.0, 2.0, 3.0])), (np.ones((2, 1)), np.array([1.0, 2.0])))
def broadcasts_a_row(m: f64["m", "n"], x: f64["k"]):
    return m + x, x * m, np.maximum(m, x)


@case((np.array([[1.0], [2.0]]), np.array([[1.0, 2.0, 3.0]])))
def broadcasts_rows_and_columns(a: f64["m", "k"], b: f64["l", "n"]):
    return a + b, a * b, a < b


@case((np.ones((2, 1, 3)), np.arange(4.0).reshape(4, 1)))
def broadcasts_three_axes(a: f64["a", "b", "c"], b: f64["m", "n"]):
    return a + b


# Sizes that don't fit: ValueError.
@case((np.ones(3), np.ones(2)), (np.ones(3), np.ones(1)), (np.ones(3), np.ones(3)))
def sizes_must_fit(x: f64["n"], y: f64["m"]):
    return x + y


# Float32 through a chain of functions.
@case((X.astype(np.float32),))
def functions_of_float32(x: f32["n"]):
    return np.exp(-(x**2)) * np.cos(x) + np.tanh(x) / 3


# Functions of transposed and strided operands.
@case((np.arange(6.0).reshape(2, 3), np.arange(12.0)))
def functions_of_strided_arrays(m: f64["m", "n"], x: f64["k"]):
    y = np.sin(m.T) + x[::2].reshape(3, 2)
    return y, y.T + m, np.sqrt(x[::-3])


# Sums and maxima of strided temporaries.
@case((np.arange(200.0).reshape(10, 20),))
def reductions_of_strided_temporaries(m: f64["m", "n"]):
    t = np.cos(m.T) * 0.1
    return t.sum(), t.sum(axis=0), (t.T + m).sum(axis=1), t.mean()


# One operand used many times.
@case((X,))
def one_operand_many_times(x: f64["n"]):
    y = x * x
    return y * y + y - x * y + x


# A polynomial, an activation, a density.
@case((X,), (SPECIAL,))
def polynomial(x: f64["n"]):
    return ((2.0 * x - 3.0) * x + 0.5) * x - 1.0


@case((X,), (np.array([800.0, -800.0]),))
def sigmoid(x: f64["n"]):
    return 1 / (1 + np.exp(-x)), np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))


@case((X, 0.5, 2.0))
def normal_density(x: f64["n"], mean: float, sigma: float):
    z = (x - mean) / sigma
    return np.exp(-0.5 * z * z) / (sigma * np.sqrt(2.0 * np.pi))


# Integers.
@case((np.array([3, -4, 0, 7]), 3))
def integer_functions(n: i64["n"], k: int):
    return np.abs(n), np.sign(n), np.maximum(n, k), n // k, n % k, n * k - n


# Two results.
@case((np.array([1.75, -2.5, 0.0]),))
def two_results(x: f64["n"]):
    fraction, whole = np.modf(x)
    mantissa, exponent = np.frexp(x)
    return fraction, whole, mantissa, exponent
