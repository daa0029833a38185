"""The way back of ``x[i]``, with arrays of integers, in native code."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details
from tests.support.direct import frames_of, warm
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def weighted(x, i, w):
    return (x[i] * w).sum()


def squared(x, i, w):
    return (x[i] ** 2 * w).sum() + x[i[::-1]].sum()


def by_pairs(x, i, w):
    return (x[i[:, None]] * w[:, None]).sum()


def native_and_source(function):
    slope = staticpy.grad(function)
    return (staticpy.jit(slope, backend=name) for name in ("llvm", "python_source"))


@pytest.mark.parametrize("function", [weighted, squared])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("index", ["int64", "int32", "uint8"])
@pytest.mark.parametrize("shape", [(5,), (7, 1), (6, 8), (3, 19), (200, 33), (4, 2, 3)])
def test_bits(function, shape, index, dtype):
    native, source = native_and_source(function)
    random = np.random.default_rng(0)
    for count in (0, 1, 2, 50, 1000):
        i = random.integers(0, len(x := random.standard_normal(shape).astype(dtype)), count)
        if index == "int64":
            i[::3] -= len(x)
        i, w = i.astype(index), random.standard_normal((count, *shape[1:])).astype(dtype)
        for given in (x, np.asfortranarray(x), x[::-1]):
            for indexes in (i, np.repeat(i, 2)[::2]):
                expected = source(given, indexes, w)
                assert details(native(given, indexes, w)) == details(expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_it_is_what_numpy_adds_up(dtype):
    random = np.random.default_rng(1)
    x, i = np.zeros((9, 5), dtype), random.integers(-9, 9, 300)
    w = (random.standard_normal((300, 5)) * 10.0 ** random.integers(-5, 5, (300, 1))).astype(dtype)
    np.add.at(expected := np.zeros_like(x), i, w)
    native, _ = native_and_source(weighted)
    np.testing.assert_array_equal(native(x, i, w), expected, strict=True)


def test_several_indexes_of_a_row_stay_with_the_kernel():
    native, source = native_and_source(by_pairs)
    x, i, w = np.arange(5.0), np.array([1, 1, 4]), np.ones(3)
    np.testing.assert_array_equal(native(x, i, w), source(x, i, w), strict=True)


@pytest.mark.parametrize("wrong", [3, -4, 2**40])
def test_an_index_that_is_out_of_bounds(wrong):
    native, _ = native_and_source(weighted)
    x, w = np.ones((3, 2)), np.ones((2, 2))
    native(x, np.array([0, 2]), w)
    with pytest.raises(IndexError, match="out of bounds"):
        native(x, np.array([0, wrong]), w)


def test_what_numpy_warns_of():
    native, source = native_and_source(weighted)
    x, i, w = np.ones(3), np.array([1, 1, 0]), np.array([1e308, 1e308, -1e308])
    (found, told), (expected, about) = (with_warnings(each, x, i, w) for each in (native, source))
    np.testing.assert_array_equal(found, expected)
    assert {str(each.message) for each in told} == {str(each.message) for each in about}


def test_no_python_runs():
    x, i, w = np.ones((3, 4)), np.array([0, 2]), np.ones((2, 4))
    native, _ = native_and_source(weighted)
    assert frames_of(warm(native, x, i, w), x, i, w) == []
