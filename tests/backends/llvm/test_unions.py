"""Numbers whose type depends on the path that was taken: ``s = 0.0`` before ``s += x[i]``."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, differences

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

NUMBERS = {
    "int": 3,
    "float": 2.5,
    "bool": True,
    "f64": np.float64(-1.5),
    "f32": np.float32(0.25),
    "i64": np.int64(7),
    "i8": np.int8(-3),
    "u8": np.uint8(200),
    "b1": np.bool_(False),
}


def check(function, *calls):
    native = staticpy.jit(function, backend="llvm")
    with np.errstate(all="ignore"):
        assert differences(function, [Call(call) for call in calls], {"llvm": native}) == []


def dot(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


def counted(x):
    total = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            total += x[i]
        else:
            total -= 1
    return total


def smallest(x):
    best = 1e300
    where = -1
    for i in range(len(x)):
        if x[i] < best:
            best = x[i]
            where = i
    return best, where


def mean_and_spread(x):
    mean = 0
    spread = 0
    for i in range(len(x)):
        delta = x[i] - mean
        mean += delta / (i + 1)
        spread += delta * (x[i] - mean)
    return mean, spread, abs(spread) ** 0.5, -mean, spread > mean


def written(x):
    y = np.zeros(len(x), dtype=x.dtype)
    last = 0
    for i in range(len(x)):
        last = x[i] - last
        y[i] = last
    return y


def roots(x):
    """By Heron's method; a comparison gives Python's bool, and then NumPy's."""
    y = np.zeros_like(x)
    for i in range(len(x)):
        root = 1.0
        while not -1e-3 < root * root - x[i] < 1e-3:
            root = (root + x[i] / root) / 2
        while root < 2.0:
            root = root * 2 + x[i]
        y[i] = root
    return y


def remainders(x):
    s = 7
    for i in range(len(x)):
        s = s % x[i] if i % 2 else s // x[i] + x[i]
    return s


@pytest.mark.parametrize("size", [0, 1, 2, 9])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint8, bool])
@pytest.mark.parametrize("function", [counted, smallest, written])
def test_sums_that_begin_with_a_number_of_python(function, dtype, size):
    if dtype is bool and function is written:
        pytest.skip("NumPy subtracts no bools")
    check(function, ((np.random.default_rng(size).random(size) * 9).astype(dtype),))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_products(dtype):
    x = (np.random.default_rng(1).random(50) * 9).astype(dtype)
    check(dot, (x, x[::-1]), (x[:0], x[:0]))
    check(mean_and_spread, (x,), (x[:1],))


def test_a_condition_of_either_kind():
    check(roots, (np.arange(9.0),), (np.float32([0.5, 7]),))


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int16])
def test_division_by_zero(dtype):
    x = np.array([3, 2, 5, 7, 2], dtype=dtype)
    check(remainders, (x,), (x[:0],), (x * 0,), (x - 2,))


def either(first, second, is_first):
    return first if is_first else second


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "<=", "==", "!="]


def function_of(symbol):
    """A function that uses an operator on numbers of one type or another."""
    scope = {}
    text = f"""
def function(a, b, c, is_a):
    if is_a:
        x = a
    else:
        x = b
    return x {symbol} c, c {symbol} x, x {symbol} x
"""
    name = f"<operators {symbol}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), scope)
    return scope["function"]


@pytest.mark.parametrize("symbol", OPERATORS)
@pytest.mark.parametrize("names", [("int", "f64", "float"), ("float", "f64", "f64"),
    ("int", "i64", "i64"), ("bool", "i8", "int"), ("int", "float", "f32"), ("f32", "u8", "b1"),
    ("int", "bool", "i64")], ids="-".join)  # fmt: skip
def test_operators(symbol, names):
    a, b, c = (NUMBERS[name] for name in names)
    function = function_of(symbol)
    calls = []
    for is_a in (True, False):
        with np.errstate(all="ignore"):
            try:
                function(a, b, c, is_a)
            except TypeError:
                continue
            except ValueError:  # a negative power of an integer
                pass
        calls.append((a, b, c, is_a))
    if len(calls) == 2:
        check(function, *calls)
    else:  # an operator that there isn't for one of the two
        native = staticpy.jit(function, backend="llvm")
        with pytest.raises((TypeError, staticpy.CompileError)):
            [native(a, b, c, is_a) for is_a in (True, False)]


@pytest.mark.parametrize("second", NUMBERS)
@pytest.mark.parametrize("first", NUMBERS)
def test_either_is_given_back(first, second):
    a, b = NUMBERS[first], NUMBERS[second]
    check(either, (a, b, True), (a, b, False))


def test_an_int_that_leaves_64_bits():
    def grow(x):
        total = 1
        for i in range(len(x)):
            total = total * 1_000_003 if x[i] > 0 else total + x[i]
        return total

    check(grow, (np.ones(2),), (np.ones(20),), (-np.ones(3),))


def test_a_loop_that_begins_with_what_is_not_none():
    """Behind the test it is one of two numbers; before it could be None, too."""

    def last_product(count, a, x, least):
        option = a * 0.5
        fuel = 3
        while fuel > 0:
            fuel -= 1
            if option is not None:
                if least > 4:
                    for least in range(count):
                        option = None
                        option = x @ x + least
                else:
                    option = None
        return option

    native, x = staticpy.jit(last_product, backend="llvm"), np.arange(3.0)
    for count in (0, 3, 6):
        for least in (3, 7):
            found, expected = (f(count, 1.5, x, least) for f in (native, last_product))
            assert (type(found), found) == (type(expected), expected)


def largest(x, start):
    found = start
    for each in x:
        found = max(found, each)
    return found


def between(x, start):
    low, high = start, 0.0
    for each in x:
        low, high = min(low, each, 2.5), max(each, high)
    return low, high


@pytest.mark.parametrize("function", [largest, between])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("start", [-np.inf, 0.1, 1, True, np.nan, 1e300, *NUMBERS.values()])
def test_the_largest_of_numbers_of_several_types(function, dtype, start):
    rows = [], [1.5, -2, 3], [0.1, 0.2], [0.0, -0.0], [2, 2, 2], [2**24, 2**24 + 1]
    floats = [np.nan, 1, 2], [1, np.nan, 0], [np.inf, -np.inf]
    every = rows if dtype == np.int32 else rows + floats
    check(function, *((np.array(row).astype(dtype), start) for row in every))
