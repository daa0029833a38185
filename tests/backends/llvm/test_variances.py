"""Variances and standard deviations in fused loops: NumPy's bits and warnings."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_gathers import names_of_kernels
from tests.backends.llvm.test_loops import outcome
from tests.support.direct import frames_of, warm

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

DTYPES = [np.float32, np.float64]
SHAPES = [(1, 1), (3, 2), (4, 7), (5, 8), (6, 129), (3, 1000), (50, 600), (2, 3, 40)]
NOTHING = [(0, 4), (4, 0), (0, 0)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def rows(x):
    return x.var(axis=-1), np.std(x, axis=-1), (x * x).std(axis=-1)


def columns(x):
    return x.var(axis=0), np.std(x - 1, axis=0)


def whole(x):
    return x.var(), np.std(x), np.var(x * 2)


def corrected(x):
    return x.var(ddof=1), x.std(axis=-1, ddof=2), np.var(x, axis=0, ddof=1)


def last_two(x):
    return x.var(axis=(-1, -2)), x.std(axis=(-2, -1), ddof=1)


def normalized(x):
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)


def standardized(x):
    x -= x.mean()
    x /= x.std()
    return x


FUNCTIONS = [rows, columns, whole, corrected, last_two, normalized]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_bits(function, dtype):
    call, random = native(function), np.random.default_rng(0)
    for shape in SHAPES:
        x = (random.standard_normal(shape) * 100 + 3).astype(dtype)
        for each in (x, x[::-1], x[:, ::2], np.asfortranarray(x), x.T):
            assert outcome(call, each) == outcome(function, each), shape


@pytest.mark.parametrize("function", FUNCTIONS)
def test_too_few_degrees_of_freedom(function):
    call = native(function)
    for shape in ((1, 1), (2, 1), (1, 2), *NOTHING):
        assert outcome(call, np.ones(shape)) == outcome(function, np.ones(shape)), shape


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("number", [np.inf, np.nan, 1e300, 1e-310])
def test_special_numbers(function, number):
    call, x = native(function), np.arange(40.0).reshape(4, 10)
    x[1, 3] = number
    assert outcome(call, x) == outcome(function, x)


def test_writes():
    call = native(standardized)
    for n in (2, 9, 300, 50000):
        x = np.random.default_rng(n).standard_normal(n)
        assert outcome(call, x) == outcome(standardized, x)


@pytest.mark.parametrize("dtype", [np.int32, np.bool_, np.complex128])
def test_other_dtypes(dtype):
    x = np.arange(30).reshape(5, 6).astype(dtype)
    for function in (rows, columns, whole, corrected):
        if dtype is not np.bool_ or function in (whole, corrected):
            assert outcome(native(function), x) == outcome(function, x)


def test_one_walk_over_rows():
    (names,) = names_of_kernels(normalized, np.ones((3, 4)))
    assert names.count("var.mean") == names.count("var.quotient") == 1


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_python_runs(function):
    x = np.arange(60.0).reshape(6, 10) % 7
    assert frames_of(warm(function, x), x) == []
