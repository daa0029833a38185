"""Complex numbers of Python and NumPy."""

from __future__ import annotations

import numpy as np

from staticpy import c64, c128, f64
from tests.support.cases import case

Z = np.array([1 + 2j, -0.5j, 3.0, 0j])


# Python's complex numbers.
@case((1 + 2j, 3 - 1j), (0j, 1j))
def python_complex(a: complex, b: complex):
    return a + b, a - b, a * b, -a, a == b, a != b


# Division, with ZeroDivisionError.
@case((1 + 2j, 3 - 1j), (1 + 2j, 0j))
def python_complex_division(a: complex, b: complex):
    return a / b


# With ints and floats.
@case((1 + 2j, 3, 0.5))
def mixed_with_real_numbers(z: complex, n: int, x: float):
    return z + n, z * x, n - z, x / z, z == 3


# Parts and magnitude.
@case((3 + 4j,), (-1j,), (complex("nan"),))
def parts(z: complex):
    return z.real, z.imag, abs(z), z.conjugate(), bool(z)


# Literals.
@case((2.0,))
def literals(x: float):
    return x + 3j, 1j * 1j, (x + 1j) * (x - 1j)


# Arrays.
@case((Z, Z[::-1]))
def complex_arrays(a: c128["n"], b: c128["n"]):
    return a + b, a * b, a - 1, a * 2j, -a


@case((Z,))
def functions_of_complex_arrays(z: c128["n"]):
    return np.abs(z), np.conj(z), np.exp(z), np.sqrt(z), z.conj()


# Parts of an array are views of it.
@case((Z,))
def parts_of_an_array(z: c128["n"]):
    return z.real, z.imag, np.real(z) + np.imag(z)


# complex64 stays complex64, and its magnitude is float32.
@case((Z.astype(np.complex64),))
def single_precision(z: c64["n"]):
    return z * 2, z + 1.5, np.abs(z), z * z, z / (1 + 1j)


# Sums and products.
@case((Z,))
def reductions(z: c128["n"]):
    return z.sum(), z.mean(), z.prod(), z @ z, np.vdot(z, z)


# Comparison for equality.
@case((Z,))
def comparisons(z: c128["n"]):
    return z == 3.0, z != 0, z == z.real


# A NumPy complex scalar.
@case((np.complex128(1 + 2j),), (np.complex128(0),))
def complex_scalar(z: np.complex128):
    return z + 1, z * z, np.abs(z), z == 0, z.real, z.imag


# The escape count of one point of the Mandelbrot set.
@case((-0.5 + 0.5j, 50), (1 + 1j, 50), (0.25 + 0j, 10))
def escape_count(c: complex, limit: int):
    z = 0j
    for i in range(limit):
        if abs(z) > 2.0:
            return i
        z = z * z + c
    return limit


# A real array that complex ones are divided by, before and after it is needed no more.
@case((np.array([1.0, 4.0, 9.0]), np.ones(3) * (1 + 1j), np.ones(3) * 2j))
def divided_by_real_numbers(x: f64["n"], y: c128["n"], z: c128["n"]):
    a = np.sqrt(x)
    first = y / a
    b = 0.5 / a
    return first, b, z / a


# A slow Fourier transform.
@case((np.array([1.0, 2.0, 0.0, -1.0]),))
def fourier_transform(x: f64["n"]):
    k = np.arange(len(x))
    return np.exp(-2j * np.pi * k[:, None] * k / len(x)) @ x
