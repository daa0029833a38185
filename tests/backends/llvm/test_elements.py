"""Elementwise functions in fused loops: NumPy's bits, dtypes, layouts and warnings."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import outcome
from tests.support.direct import frames_of, warm

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

FLOATS = [np.float32, np.float64]
INTEGERS = [np.int8, np.uint8, np.int32, np.int64, np.uint64]
SPECIAL = (0.0, -0.0, 0.5, 1.5, -2.5, 1e-310, 3e38, -1e300, np.inf, -np.inf, np.nan)


def native(function):
    return staticpy.jit(function, backend="llvm")


def clipped(x, y, low, high):
    return np.clip(x, low, high) * y, x.clip(-1, 1), np.clip(x, low, None)


def clipped_by_arrays(x, y, low, high):
    return np.clip(x, y, high), np.clip(x, x, y)


def rounded(x, y, low, high):
    return np.round(x) + y, x.round(2), np.round(x, -1), np.around(x, 5).sum(axis=-1)


def steps(x, y, low, high):
    return np.heaviside(x, y), np.heaviside(x, low) * 2


def angles(x, y, low, high):
    return np.deg2rad(x) + y, np.degrees(y), np.radians(x), np.rad2deg(y)


def of_integers(x, y, low, high):
    return np.clip(x, low, high) + y, np.floor(x) * y, np.bitwise_count(x), np.isfinite(x)


def bits_in_place(x, y, low, high):
    x &= y
    x ^= low
    x |= high
    x <<= 2
    y >>= 1
    return x


def layouts(x, y):
    yield x, y
    yield x[:, ::2], y[:, ::2]
    yield x[::-1], y
    yield x.T, y.T
    yield x, y[:1]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("function", [clipped, clipped_by_arrays, rounded, steps, angles])
def test_floats(function, dtype):
    call, random = native(function), np.random.default_rng(0)
    with np.errstate(all="ignore"):
        numbers = np.array(SPECIAL).astype(dtype)
    for n, m in ((1, 1), (3, 5), (4, 8), (7, 33), (0, 3)):
        usual = (random.standard_normal((2, n, m)) * 20).astype(dtype)
        special = random.choice(numbers, (2, n, m))
        for (x, y), bounds in itertools.product(
            (*layouts(*usual), *layouts(*special)), ((-1.0, 2.0), (2.0, -1.0), (-0.0, 0.0))
        ):
            low, high = map(dtype, bounds)
            assert outcome(call, x, y, low, high) == outcome(function, x, y, low, high)


@pytest.mark.parametrize("dtype", FLOATS)
def test_bounds_that_are_no_numbers(dtype):
    call = native(clipped)
    x, y = (np.array(SPECIAL[:7]).astype(dtype) for _ in range(2))
    for bounds in itertools.product((0.0, np.nan, np.inf), repeat=2):
        low, high = map(dtype, bounds)
        assert outcome(call, x, y, low, high) == outcome(clipped, x, y, low, high)


def between(x, low, high):
    return np.clip(x, low, high), x.clip(low, 0.5), np.clip(x + low, -0.0, high) * 2


@pytest.mark.parametrize("dtype", FLOATS)
def test_bounds_for_each_element(dtype):
    """Of a bound and an element that are both zeros NumPy takes the bound, and every NaN."""
    call, random = native(between), np.random.default_rng(0)
    numbers = np.array([0.0, -0.0, 1, -1, np.nan, np.inf, -np.inf, 0.5, -0.5]).astype(dtype)
    for shape in ((0,), (1,), (2,), (8,), (200,), (1, 1), (3, 5), (4, 33)):
        x, low, high = random.choice(numbers, (3, *shape))
        for each in (x, x[::-1], np.asfortranarray(x), np.repeat(x, 2, axis=-1)[..., ::2]):
            assert outcome(call, each, low, high) == outcome(between, each, low, high)
        for bound in (low[:1], low[..., :1], *low[:1]):
            assert outcome(call, x, bound, high) == outcome(between, x, bound, high)
            assert outcome(call, x, bound, bound) == outcome(between, x, bound, bound)


def test_bounds_for_each_element_call_nothing():
    x = np.linspace(-1, 1, 30)
    assert frames_of(warm(between, x, x, x), x, x, x) == []


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("function", [of_integers, bits_in_place])
def test_integers(function, dtype):
    call, random, limits = native(function), np.random.default_rng(0), np.iinfo(dtype)
    for n, m in ((1, 1), (3, 5), (4, 8), (7, 70), (0, 3)):
        pair = random.integers(limits.min, limits.max, (2, n, m), dtype, endpoint=True)
        for x, y in layouts(*pair):
            assert outcome(call, x, y, dtype(3), dtype(9)) == outcome(
                function, x, y, dtype(3), dtype(9)
            )


@pytest.mark.parametrize("function", [clipped, rounded, steps, angles])
def test_no_python_runs(function):
    x, y = np.linspace(-3, 3, 40).reshape(4, 10), np.ones((4, 10))
    given = x, y, np.float64(-1), np.float64(1)
    assert frames_of(warm(function, *given), *given) == []
