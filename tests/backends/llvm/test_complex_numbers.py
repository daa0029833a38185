"""Complex numbers, Python's and NumPy's, in registers: CPython's and NumPy's bits, exceptions and
warnings.
"""

from __future__ import annotations

import itertools
import sys
import warnings

import numpy as np
import pytest

import staticpy
from tests.support.direct import described, frames_of

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

PARTS = (0.0, -0.0, 1.0, -2.5, 1e-300, 3e200, 1.7e308, float("inf"), float("-inf"), float("nan"))
RANDOM = np.random.default_rng(0).normal(size=(60, 2))
AWKWARD = [complex(re, im) for re, im in itertools.product(PARTS, PARTS)]
NUMBERS = [*AWKWARD, *(complex(*pair) for pair in RANDOM)]


def add(x, y):
    return x + y


def sub(x, y):
    return x - y


def mul(x, y):
    return x * y


def truediv(x, y):
    return x / y


def eq(x, y):
    return x == y, y != x


def unary(x):
    return -x, +x, x.real, x.imag, x.conjugate(), bool(x), not x


def size(x):
    return abs(x)


def square(x):
    return x**2


def cube(x):
    return x**3


def fourth(x):
    return x**4


def outcome(function, *args):
    """What a call gives, with its exception and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = described(function(*args))
        except (ArithmeticError, TypeError) as error:
            found = type(error), str(error)
    return bits(found), [str(each.message) for each in caught]


def bits(found):
    """A result in which NaNs are equal and zeros of other signs are not."""
    if isinstance(found, list | tuple):
        return tuple(map(bits, found))
    if isinstance(found, complex | float):
        return np.array([found]).tobytes()
    return found


def native(function):
    return staticpy.jit(function, backend="llvm")


@pytest.mark.parametrize("function", [add, sub, mul, truediv, eq])
@pytest.mark.parametrize("kind", [complex, np.complex128, np.complex64])
def test_two_numbers_of_one_kind(function, kind):
    compiled = native(function)
    pairs = zip(NUMBERS, reversed(NUMBERS), strict=True)
    with np.errstate(all="ignore"):
        numbers = [(kind(x), kind(y)) for x, y in pairs]
    for x, y in numbers:
        assert outcome(compiled, x, y) == outcome(function, x, y), (x, y)


@pytest.mark.parametrize("function", [add, sub, mul, truediv, eq])
@pytest.mark.parametrize("other", [2, -3, True, 2**53 + 1, 0, 0.1, -0.0, float("inf")])
def test_a_complex_number_and_a_real_one(function, other):
    first, second = native(function), native(function)
    for x in NUMBERS:
        assert outcome(first, x, other) == outcome(function, x, other), x
        assert outcome(second, other, x) == outcome(function, other, x), x


@pytest.mark.parametrize("function", [unary, size, square, cube, fourth])
def test_one_number_of_python(function):
    compiled = native(function)
    for x in NUMBERS:
        assert outcome(compiled, x) == outcome(function, x), x


@pytest.mark.parametrize("function", [unary, size])
@pytest.mark.parametrize("kind", [np.complex128, np.complex64])
def test_one_number_of_numpy(function, kind):
    compiled = native(function)
    with np.errstate(all="ignore"):
        numbers = [kind(x) for x in NUMBERS]
    for x in numbers:
        assert outcome(compiled, x) == outcome(function, x), x


def conversions(z, w, narrow, a, n):
    return (
        complex(a), complex(n), complex(a, n), complex(z), z + n, w + a, w * z, narrow * n,
        narrow + w, w.item(), narrow.astype(np.complex128), w.astype(np.complex64),
        np.complex128(a) * w, np.float32(n) * narrow, np.int64(n) + w,
    )  # fmt: skip


def test_numbers_become_complex():
    args = (1 + 2j, np.complex128(0.1 - 3j), np.complex64(0.1 + 1j), 0.7, 2**40 + 1)
    assert outcome(native(conversions), *args) == outcome(conversions, *args)


def elements(z, w, a):
    z[0] = w
    z[1] += a
    z[2] = 3
    z[3] = z[0] * z[1] - a
    made = np.array([w, z[3]])
    return z, made, z[-1]


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_elements_of_arrays(dtype):
    args = [(np.arange(5).astype(dtype), dtype(1 - 0.1j), 0.3) for _ in range(2)]
    assert outcome(native(elements), *args[0]) == outcome(elements, *args[1])
    assert np.array_equal(args[0][0], args[1][0])


def on_paths(z, flag):
    found = 1j if flag else 2.0
    total = found + z
    if flag:
        total = total * z
    return total, found


def rounds(c, most):
    z, number = 0j, 0
    while number < most and abs(z) < 2:
        z, number = z * z + c, number + 1
    return number


def loops(n, steps):
    counts = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(n):
            c = complex(-2 + 3 * j / n, -1.5 + 3 * i / n)
            counts[i, j] = rounds(c, steps)
    return counts


def test_loops_and_branches():
    assert outcome(native(loops), 12, 30) == outcome(loops, 12, 30)
    for flag in (True, False):
        assert outcome(native(on_paths), 1 + 1j, flag) == outcome(on_paths, 1 + 1j, flag)


def power(z, n):
    return 1 + 0j if n == 0 else z * power(z, n - 1)


def test_recursion():
    assert outcome(native(power), 0.5 + 1j, 20) == outcome(power, 0.5 + 1j, 20)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the kernels multiply there")
def test_loops_over_complex_numbers_run_no_python():
    compiled = native(rounds)
    for _ in range(2):
        assert compiled(0.3j, 50) == rounds(0.3j, 50)
    assert len(frames_of(compiled, 0.3j, 50)) <= 3  # those that take the call


def ordered(x, y):
    return x <= y, x > y, y <= x, y > x


def ordered_as_complex(x, y):
    return x.astype(np.complex128) <= y.astype(np.complex128)


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("other", ["bool", "uint8", "uint64", "int64", "float16", "complex128"])
def test_the_order_beside_a_number_of_another_dtype(other, backend):
    """The operator of scalars orders what has a NaN otherwise than NumPy's function, and which of
    them compares is for the dtypes to say.
    """
    for program in (ordered, ordered_as_complex):
        native = staticpy.jit(program, backend=backend)
        for x in NUMBERS[:100]:
            for dtype in (np.complex64, np.complex128):
                with np.errstate(all="ignore"):
                    numbers = dtype(x), np.dtype(other).type(1)
                assert outcome(native, *numbers) == outcome(program, *numbers), numbers


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("other", ["bool", "uint8", "uint64", "float32", "float64", "complex64"])
def test_the_order_beside_a_number_of_python(other, backend):
    native = staticpy.jit(ordered, backend=backend)
    for x in NUMBERS[:100]:
        y = np.dtype(other).type(1)
        assert outcome(native, x, y) == outcome(ordered, x, y), x
