"""``%``, ``//`` and ``np.fmod`` of floats in fused loops: NumPy's bits and warnings."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import outcome
from tests.support.direct import frames_of, warm

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

DTYPES = [np.float32, np.float64]

NUMBERS = (
    *(0.0, -0.0, 1.0, -1.0, 3.0, -2.5, 0.1, 7.0, 2.0**24 + 1, -(2.0**23), 2.0**52, 2.0**53 + 2),
    *(1e16, -1e22, 3e38, -1.7e308, 1e-300, 2.2e-308, -1.2e-38, 5e-324, -1e-45),
    *(np.inf, -np.inf, np.nan),
)
"""Also quotients that are as long as the mantissa and longer, and such that over- or underflow."""


def native(function):
    return staticpy.jit(function, backend="llvm")


def left(x, y):
    return x % y


def cut(x, y):
    return np.fmod(x, y)


def quotient(x, y):
    return x // y


def both(x, y):
    return np.floor_divide(x, y) * y + np.mod(x, y)


def by_numbers(x, y):
    return x % 1, x % -2.5, y // 0.1, np.fmod(1e16, y), y % x[0]


def reduced(x, y):
    return (x % y).sum(axis=-1), (x // y).max(axis=0)


def in_place(x, y):
    x %= y
    y //= 0.75
    return x


FUNCTIONS = [left, cut, quotient, both, by_numbers, reduced]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [left, cut, quotient])
def test_special_numbers(function, dtype):
    """Each pair by itself, with its warnings, and all of them beside each other."""
    call = native(function)
    with np.errstate(all="ignore"):
        pairs = np.array(list(itertools.product(NUMBERS, NUMBERS))).astype(dtype)
    for x, y in pairs:
        given = np.array([x]), np.array([y])
        assert outcome(call, *given) == outcome(function, *given), (x, y)
    columns = [pairs[:, n].copy() for n in range(2)]
    assert outcome(call, *columns) == outcome(function, *columns)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [left, cut, quotient])
def test_underflow_is_warned_of_where_numpy_warns(function, dtype):
    call, tiny = native(function), float(np.finfo(dtype).tiny)
    for x, y in itertools.product((tiny, -tiny, 3 * tiny, 0.0, 1.0), (0.5, 2.0, -4.0, 1e30)):
        given = np.full(9, x, dtype), np.full(9, y, dtype)
        with np.errstate(under="warn"):
            assert outcome(call, *given) == outcome(function, *given), (x, y)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_random_numbers(function, dtype):
    """Of all magnitudes, of which most are far from each other, and near each other."""
    call, random = native(function), np.random.default_rng(0)
    word = np.uint32 if dtype == np.float32 else np.uint64
    bits = random.integers(0, np.iinfo(word).max, (2, 9, 300), dtype=word)
    x, y = np.where(np.isfinite(bits.view(dtype)), bits.view(dtype), dtype(1))
    near = (random.standard_normal((2, 9, 300)) * 2.0 ** random.integers(0, 26, 300)).astype(dtype)
    for pair in ((x, y), near, (x[:, ::2], y[:, ::2]), (near[0].T, near[1].T), (x[::-1], y)):
        assert outcome(call, *pair) == outcome(function, *pair)


@pytest.mark.parametrize("dtype", DTYPES)
def test_in_place(dtype):
    call = native(in_place)
    for n in (1, 8, 9, 100, 50000):
        x, y = np.random.default_rng(n).standard_normal((2, n)).astype(dtype)
        assert outcome(call, x, y) == outcome(in_place, x, y)


def test_no_flag_but_those_of_numpy_after_a_write():
    """Where the call can't be done again, what the loops raise is what is warned of."""

    def in_place(x, y):
        x %= y
        return x

    for x, y in itertools.product((1.6e308, -1.6e308, 5e-324, -1.0), (1.7e308, 1e308, 3.0)):
        given = np.full(9, x), np.full(9, y)
        assert outcome(native(in_place), *given) == outcome(in_place, *given)


@pytest.mark.parametrize("function", [left, cut, quotient])
def test_no_python_runs(function):
    x, y = np.arange(1.0, 20), np.arange(3.0, 22)[::-1].copy()
    assert frames_of(warm(function, x, y), x, y) == []
