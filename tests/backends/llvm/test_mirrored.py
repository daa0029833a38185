"""Arrays that lie in the reverse order of their axes, as Fortran's do, are walked along in it."""

from __future__ import annotations

import operator
import tracemalloc
from itertools import product

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SIZES = (7, 40)


def in_reverse(rows, columns, dtype=np.float64, seed=0):
    """Matrices without gaps, with some, backwards, and turned."""
    numbers = np.random.default_rng(seed).standard_normal((2 * columns, 2 * rows))
    x = (numbers * 9).astype(dtype)
    yield x[:columns, :rows].copy().T
    yield x.T[::2, ::2]
    yield x.T[:rows, :columns][::-1]
    yield x.T[:rows, :columns][:, ::-1]


def assert_same(function, *args):
    found, expected = staticpy.jit(function, backend="llvm")(*args), function(*args)
    pair = [each if isinstance(each, tuple) else (each,) for each in (found, expected)]
    for one, other in zip(*pair, strict=True):
        assert details(one) == details(other)


UNARY = [np.negative, np.sqrt, np.floor, np.square, np.sign, np.isnan, np.logical_not, np.signbit]
BINARY = [operator.add, np.maximum, operator.lt, np.copysign, operator.truediv, np.logical_and]


@pytest.mark.parametrize("function", UNARY, ids=lambda each: each.__name__)
def test_of_one(function):
    for x in in_reverse(*SIZES):
        assert_same(lambda x: function(np.abs(x)), x)


@pytest.mark.parametrize("function", BINARY, ids=lambda each: each.__name__)
def test_of_two(function):
    def of_both(x, y):
        return function(x, y)

    for x, y in product(in_reverse(*SIZES), in_reverse(*SIZES, seed=1)):
        assert_same(of_both, x, y)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "complex64", "complex128"])
def test_of_other_dtypes(dtype):
    for x, y in product(in_reverse(*SIZES, dtype), in_reverse(*SIZES)):
        assert_same(lambda x, y: (x * x, x + y, x.astype(np.complex128), x != 0, x.sum()), x, y)


def mixed(x, y, row):
    scaled = (x - row) * 2.5
    return np.where(x > y, scaled, row), row + row, np.clip(x, -1, 1) ** 2, scaled.copy()


def of_rows_alone(x, row, other):
    return (row * other) + x, x + (row * other)


def summed(x, y):
    total = x * y + 1
    return total.sum(), total.mean(), total.max(), total.std(), x.prod(), (x > y).any(), x.min()


def with_axes(x, y):
    total = x * y + 1
    return total.sum(0), total.mean(1), (x - x.max(axis=1, keepdims=True)).sum(), total


def rounded(x, y):
    return np.round(x, 1), np.round(x) + y, np.triu(x) + y, np.zeros_like(x) + y


def test_with_rows_that_are_stretched():
    row = np.linspace(-1, 1, SIZES[1])
    for x, y in product(in_reverse(*SIZES), in_reverse(*SIZES, seed=1)):
        assert_same(mixed, x, y, row)
        assert_same(of_rows_alone, x, row, row[::-1])


@pytest.mark.parametrize("function", [summed, with_axes, rounded])
@pytest.mark.parametrize("shape", [SIZES, (1, 5), (5, 1), (2, 2), (130, 90)])
def test_reduced(function, shape):
    for x, y in product(in_reverse(*shape), in_reverse(*shape, seed=1)):
        assert_same(function, x, y)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (1, 1)])
def test_few_elements(shape):
    for x in in_reverse(*shape):
        assert_same(lambda x: (x * 2 + 1, x.sum()), x)


def test_with_others_in_order():
    for x in in_reverse(*SIZES):
        y = np.ones(SIZES)
        assert_same(lambda x, y: (x + y, y + x, x * 2 + y, (x + x) * (y + y)), x, y)
        column, row = np.ones((SIZES[0], 1)), np.ones(SIZES[1])
        assert_same(lambda x, c, r: (c + r) + x, x, column, row)
        assert_same(lambda x, c: c * x, x, column)


@pytest.mark.parametrize("axes", [(2, 1, 0), (1, 2, 0), (0, 2, 1), (2, 0, 1), (1, 0, 2)])
def test_three_axes(axes):
    x = np.random.default_rng(0).standard_normal((4, 5, 6)).transpose(axes)
    row = np.ones(x.shape[-1])
    assert_same(lambda x, row: (x * 2 + row, (x - row).sum(), x.sum((0, 1)), x + x.copy()), x, row)


def test_steps_of_one_length_and_of_none():
    numbers = np.arange(20.0)
    for steps in [(8, 8), (8, 16), (0, 8), (8, 0), (16, 8), (0, 0)]:
        x = np.lib.stride_tricks.as_strided(numbers, (3, 4), steps)
        assert_same(lambda x: (x * 2, x + 1, x.sum()), x)
        for y in in_reverse(3, 4):
            assert_same(lambda x, y: (x + y, y * x, (x * 2) - y), x, y)


def written(x, y):
    x *= 2.0
    x[x < 0] = -1.0
    y[...] = x + 1
    y[1:, 2:] += x[1:, 2:]
    np.add(x, y, out=x)
    return x.sum()


def shifted(x, _):
    x[1:] = x[:-1] * 2
    return x[:, 1:] + x[:, :-1]


@pytest.mark.parametrize("function", [written, shifted])
def test_writes(function):
    for number in range(4):
        pairs = [
            [list(in_reverse(*SIZES, seed=seed))[number] for seed in range(2)] for _ in range(2)
        ]
        found = staticpy.jit(function, backend="llvm")(*pairs[0])
        assert details(found) == details(function(*pairs[1]))
        for one, other in zip(*pairs, strict=True):
            assert details(one) == details(other)


def test_no_array_is_made_on_the_way():
    def function(x, y):
        return (x * y + 1) * (x - y) / (x * x + 2)

    x, y = (np.asfortranarray(np.full((300, 200), value)) for value in (1.5, 0.5))
    native = staticpy.jit(function, backend="llvm")
    native(x, y)
    tracemalloc.start()
    native(x, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.5 * x.nbytes


@pytest.mark.parametrize("threads", [1, 2])
def test_large_ones(threads):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(threads)
    try:
        for x in in_reverse(1100, 900):
            assert_same(lambda x: ((x * 2 + 1) * x - 3, (x * 2).sum(), x.max()), x)
    finally:
        staticpy.set_num_threads(before)
