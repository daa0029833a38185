"""Running sums, products and extrema in native code: NumPy's bits, dtypes, warnings and strides."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_gathers import ELEMENTS
from tests.backends.llvm.test_loops import details
from tests.backends.llvm.test_selections import layouts
from tests.support.direct import frames_of, warm
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SHAPES = [(1, 1), (1, 5), (5, 1), (40, 50), (2, 300), (0, 3), (3, 0), (0, 0)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def of_all(x):
    running = np.cumsum(x), np.cumprod(x), np.add.accumulate(x), np.multiply.accumulate(x)
    return *running, np.maximum.accumulate(x), np.minimum.accumulate(x)


def along_the_first(x):
    sums = np.cumsum(x, axis=0), x.cumprod(axis=0), np.cumsum(x)
    return *sums, np.maximum.accumulate(x), np.minimum.accumulate(x, axis=0)


def along_the_last(x):
    sums = np.cumsum(x, axis=1), x.cumprod(axis=-1), np.cumprod(x)
    return *sums, np.maximum.accumulate(x, axis=1), np.minimum.accumulate(x, axis=-1)


def along_the_middle(x):
    sums = np.cumsum(x, axis=1), x.cumsum(axis=-1), np.cumsum(x)
    return *sums, np.maximum.accumulate(x, axis=1), np.minimum.accumulate(x, axis=0)


def as_others(x):
    sums = np.cumsum(x, dtype=np.float64), np.cumsum(x, dtype=np.float32), np.cumsum(x, dtype=bool)
    return *sums, np.cumprod(x, dtype=np.int64), np.add.accumulate(x, dtype=np.int16)


def told(function, x):
    """What a call gives and warns of; of ``x`` itself, as a copy would lie otherwise."""
    results, caught = with_warnings(function, x, raises=())
    return list(map(details, results)), sorted({str(each.message) for each in caught})


def checked(call, function, x):
    assert told(call, x) == told(function, x), (x.dtype, x.shape, x.strides)


def samples(dtype, size):
    """Numbers of some digits, and what overflows, is none, or has a sign and nothing else."""
    random, dtype = np.random.default_rng(size), np.dtype(dtype)
    yield (random.standard_normal(size) * 9).astype(np.int8).astype(dtype)
    yield random.random(size).astype(dtype)
    if dtype.kind in "iu":
        for end in (np.iinfo(dtype).min, np.iinfo(dtype).max):
            yield np.full(size, end, dtype)
    if dtype.kind == "f":
        for end, others in itertools.product((np.nan, np.inf, 3e38, -0.0, 0.0), (0.0, -0.0, 2.0)):
            x = np.full(size, others, dtype)
            x[size // 2 :: 7] = end
            yield from (x, -x, x[::-1])


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_of_one_axis(dtype):
    call = native(of_all)
    for size in (0, 1, 2, 9, 300):
        for x in samples(dtype, size):
            for each in layouts(x):
                checked(call, of_all, each)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_of_two_axes(dtype):
    calls, random = (along_the_first, along_the_last), np.random.default_rng(0)
    for function in calls:
        call = native(function)
        for shape in SHAPES:
            x = (random.standard_normal(shape) * 3).astype(np.int8).astype(dtype)
            more = x.T, x[:, ::-1], x[:, :1], np.broadcast_to(x[:1], x.shape[-2:])
            for each in (*layouts(x), *more):
                checked(call, function, each)


@pytest.mark.parametrize(
    "shape", [(2, 3, 4), (0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 3, 1), (4, 70, 3)]
)
def test_of_three_axes(shape):
    call, x = native(along_the_middle), np.random.default_rng(0).standard_normal(shape)
    for each in (x, x.T, x.transpose(1, 0, 2), x[::-1, :, ::2], x.transpose(2, 0, 1)):
        checked(call, along_the_middle, each)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.int16])
def test_other_dtypes(dtype):
    call = native(as_others)
    checked(call, as_others, np.arange(-9, 30).astype(dtype))


def test_what_has_no_native_form():
    for function in (lambda x: (np.cumsum(x),), lambda x: (np.add.accumulate(x),)):
        for x in (np.arange(5) * 1j, np.arange(4).astype("e"), np.arange(9, dtype=">f8")):
            checked(native(function), function, x)
    reduced = lambda x: (np.add.reduceat(x, [0, 2]), np.subtract.accumulate(x))
    checked(native(reduced), reduced, np.arange(6.0))


def test_an_overflow_behind_a_write():
    """Where the call can't be done again, and a NaN is none."""

    def after_a_write(x, seen):
        seen *= 2.0
        return np.cumsum(x), np.maximum.accumulate(x)

    call = native(after_a_write)
    with pytest.warns(RuntimeWarning, match="overflow"):
        sums, _ = call(np.full(3, 1e308), np.ones(3))
    assert sums.tolist() == [1e308, np.inf, np.inf]
    with warnings.catch_warnings(action="error"):
        assert np.isnan(call(np.array([1.0, np.nan, 2.0]), np.ones(3))[1][1:]).all()


def test_no_python_runs():
    x = np.linspace(0.5, 1, 100)
    for function in (of_all, along_the_first, along_the_last):
        given = x if function is of_all else x.reshape(10, 10)
        assert frames_of(warm(function, given), given) == []
