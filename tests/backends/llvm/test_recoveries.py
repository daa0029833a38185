"""Numbers that native code can't compute, and asks a kernel for in the middle of a loop: what the
loop has in registers is there afterwards, and the number is CPython's, as are warnings and
exceptions.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

LAST = 2**63 - 1


def outcome(function, *arguments):
    """What a call gives or raises, what is then in its arrays, and how often it has warned."""
    given = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*given)
        except (ArithmeticError, ValueError) as error:
            result = type(error), str(error)
    left = [each.tolist() for each in given if isinstance(each, np.ndarray)]
    kind = (type(result), repr(result))
    return kind, left, [(each.category, str(each.message)) for each in caught]


def sums_that_go_round(x, h):
    """More than there are registers: ints and floats that are carried, and NumPy's sums."""
    a, b, c, d, e = 1, 2, 3, 4, 5
    s, t, u = 0.5, 0.25, 1.5
    i = 0
    while i < len(x):
        h[i % len(h)] += x[i]
        a, b, c, d, e = b, c, d, e, (a + i) % 1000
        s, t, u = t, u, s + a * 0.125
        i += 1
    return a, b, c, d, e, s, t, u


def products_that_go_round(x):
    product = x[0]
    for i in range(1, len(x)):
        product = product * x[i]
    return product


def small_ones(x, y):
    found = x[0]
    for i in range(len(x)):
        found = found + x[i] * y[i]
        x[i] = found
    return found


@pytest.mark.parametrize("value", [1, LAST, LAST - 1, -LAST - 1, -LAST])
def test_integers_of_numpys_that_go_round(value):
    x = np.array([value, 3, value, -1, value, 7, value, 2])
    native = staticpy.jit(sums_that_go_round, backend="llvm")
    for h in (np.zeros(3, int), np.full(2, LAST), np.full(1, -LAST)):
        assert outcome(native, x, h) == outcome(sums_that_go_round, x, h)
    native = staticpy.jit(products_that_go_round, backend="llvm")
    assert outcome(native, x) == outcome(products_that_go_round, x)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "uint64"])
def test_of_all_sizes(dtype):
    native = staticpy.jit(small_ones, backend="llvm")
    x, y = (np.arange(7).astype(dtype) * dtype_step for dtype_step in np.array([19, 23], dtype))
    assert outcome(native, x, y) == outcome(small_ones, x, y)


def test_a_warning_that_is_an_error():
    def function(x, h):
        for i in range(len(x)):
            h[0] += x[i]
        return i

    native = staticpy.jit(function, backend="llvm")
    x, left = np.array([1, 2, 1, 9, 4]), []
    for each in (native, function):
        h = np.array([LAST - 5])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeWarning, match="overflow"):
                each(x, h)
        left.append(h.tolist())
    assert left == [[LAST - 1]] * 2


def shifted(x, n):
    total = 0
    for i in range(len(x)):
        total += (x[i].item() << n) % 1013
    return total


def quotients(x, n):
    total = 0.0
    for i in range(len(x)):
        total += x[i].item() / (n - i)
    return total


def compared(x, bound):
    total = 0
    for i in range(len(x)):
        if x[i].item() < bound:
            total += 1
        elif x[i].item() == bound:
            total += 100
    return total


def whole_numbers(x, scale):
    total = 0
    for i in range(len(x)):
        total += int(x[i].item() * scale)
    return total


def powers(x, y):
    total = 0.0
    for i in range(len(x)):
        total += abs(float(x[i])) ** y
    return total


def test_numbers_of_pythons():
    x = np.array([1, 5, LAST, -LAST, 2**53 + 1, 0])
    for function, arguments in [
        (shifted, (0, 1, 5, 62, 63, 64, 200, -1)),
        (quotients, (7, 3, 2**60, -1, 0, 5)),
        (compared, (0.5, 2.0**53, 2.0**63, -(2.0**63), float("inf"), float("nan"))),
        (whole_numbers, (0.5, 1e3, 1e-20, float("inf"), float("nan"))),
        (powers, (2.0, 0.5, -1.0, 0.0, 1e3)),
    ]:
        native = staticpy.jit(function, backend="llvm")
        for argument in arguments:
            assert outcome(native, x, argument) == outcome(function, x, argument), argument


def test_in_a_function_that_is_called():
    @staticpy.jit(backend="llvm")
    def ratio(a, b):
        if b > 5:
            return ratio(a, b - 1) + 1.0
        return a / b

    def total(x, n):
        found = 0.0
        for i in range(len(x)):
            found += ratio(i + 1, n)
        return found

    native = staticpy.jit(total, backend="llvm")
    assert native(np.ones(3), 7) == total(np.ones(3), 7)
    with pytest.raises(ZeroDivisionError):
        native(np.ones(3), 0)


def test_registers_stay_where_they_are():
    x, h = np.arange(4), np.zeros(3, int)
    compiled = staticpy.jit(sums_that_go_round, backend="llvm").lower(x, h).compile()
    assert 'call preserve_mostcc i32 @"recover.' in compiled.llvm_ir
