"""Arrays that lie in several orders, in one walk: a matrix and its transpose, for one."""

from __future__ import annotations

import mmap
from itertools import permutations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def symmetric(x):
    return (x + x.T) / 2


def of_one_order_and_of_both(x, y):
    turned = x.T * 2
    return turned - 1, y - x.T, np.maximum(x.T, 0) + y


def reduced(x, y):
    total = x.T + y
    return total.sum(axis=1), total.max(axis=0), (x.T * 3).sum(axis=1), x.T.mean(axis=0)


def stretched(x, y):
    return y * x.T + x[0][:, None], y[:, :1] + x.T


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "complex128"])
@pytest.mark.parametrize("size", [1, 2, 7, 8, 33, 100, 170])
def test_a_matrix_and_its_transpose(size, dtype):
    x = (np.random.default_rng(0).standard_normal((size, size)) * 9).astype(dtype)
    found = staticpy.jit(symmetric, backend="llvm")(x)
    assert details(found) == details(symmetric(x))


@pytest.mark.parametrize("function", [of_one_order_and_of_both, reduced, stretched])
@pytest.mark.parametrize("shape", [(3, 5), (1, 4), (4, 1), (40, 60), (130, 120)])
def test_two_arrays(function, shape):
    random = np.random.default_rng(1)
    x, y = random.standard_normal(shape), random.standard_normal(shape[::-1])
    native = staticpy.jit(function, backend="llvm")
    for one in (x, x[::-1], np.repeat(x, 2, 1)[:, ::2]):
        for other in (y, np.asfortranarray(y), y[:, ::-1]):
            for found, expected in zip(native(one, other), function(one, other), strict=True):
                assert details(found) == details(expected)


def turned_first(x):
    return x.T * 2 + x


def turned_last(x):
    return x + x.T * 2


def turned_and_subtracted(x):
    return x - x.T * 2, np.abs(x - x.T), -x.T + x


def turned_in_a_variable(x):
    turned = x.T * 2
    return turned + x, turned


@pytest.mark.parametrize(
    "function",
    [turned_first, turned_last, turned_and_subtracted, turned_in_a_variable, symmetric],
)
@pytest.mark.parametrize("size", [60, 600])
def test_numpy_writes_to_what_nobody_else_has(function, size):
    """To what it has computed and is of 256 KiB or more; the result then lies as that does."""
    x = np.random.default_rng(5).standard_normal((size, size))
    found, expected = staticpy.jit(function, backend="llvm")(x), function(x)
    pair = [each if isinstance(each, tuple) else (each,) for each in (found, expected)]
    for one, other in zip(*pair, strict=True):
        assert details(one) == details(other)


def test_three_axes():
    def function(x, y):
        return x * y, x - 1, y + x.max()

    native, random = staticpy.jit(function, backend="llvm"), np.random.default_rng(2)
    for order in permutations(range(3)):
        sizes = [(4, 6, 9)[axis] for axis in order]
        x = random.standard_normal(sizes).transpose(np.argsort(order))
        y = random.standard_normal((4, 6, 9))
        for pair in ((x, y), (y, x), (x, x)):
            for found, expected in zip(native(*pair), function(*pair), strict=True):
                assert details(found) == details(expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(1024, 1024), (1500, 70), (70, 1500), (33, 4100), (3000, 30)])
def test_large_ones_are_copied_some_columns_at_a_time(shape, dtype, threads):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(threads)
    try:
        x = (np.random.default_rng(3).standard_normal(shape) * 9).astype(dtype)
        y = np.ones(shape[::-1], dtype)
        found = staticpy.jit(lambda x, y: y + x.T, backend="llvm")(x, y)
        assert details(found) == details(y + x.T)
    finally:
        staticpy.set_num_threads(before)


def test_nothing_is_read_behind_the_last_column():
    """The matrix ends where memory does."""
    rows, columns = 700, 61
    length = rows * columns * 8
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, -(-length // page) * page)
    whole = np.frombuffer(memory, np.uint8)
    x = whole[len(whole) - length :].view(np.float64).reshape(rows, columns)
    x[...] = np.random.default_rng(4).standard_normal(x.shape)
    y = np.ones((columns, rows))
    found = staticpy.jit(lambda x, y: y + x.T, backend="llvm")(x, y)
    assert details(found) == details(y + x.T)
