"""``argmax`` and ``argmin`` in native code: NumPy's ties, NaN, errors and strides."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_gathers import ELEMENTS
from tests.backends.llvm.test_loops import details
from tests.backends.llvm.test_selections import layouts
from tests.support.direct import frames_of, warm

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SIZES = (0, 1, 2, 31, 32, 33, 64, 65, 255, 256, 257, 1000)
SHAPES = [(1, 1), (1, 5), (5, 1), (40, 50), (2, 300), (0, 3), (3, 0), (0, 0)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def of_all(x):
    return np.argmax(x), x.argmin()


def along_axes(x):
    rows, columns = np.argmax(x, axis=-1), x.argmin(axis=0)
    return rows, columns, np.argmin(x, axis=1, keepdims=True), x.argmax(axis=0, keepdims=True)


def along_the_middle(x):
    return x.argmax(axis=1), np.argmin(x, axis=1, keepdims=True), x.argmin(axis=-1), x.argmax(0)


def told(function, x):
    """What a call gives or raises; of ``x`` itself, as a copy would lie otherwise."""
    with warnings.catch_warnings(action="error"):
        try:
            return [details(each) for each in function(x)]
        except ValueError as error:
            return str(error)


def checked(call, function, x):
    assert told(call, x) == told(function, x), (x.dtype, x.shape, x.strides)


def samples(dtype, size):
    """Few different values, many, one alone, and what is at the ends of the dtype."""
    random, dtype = np.random.default_rng(size), np.dtype(dtype)
    yield random.integers(0, 2, size).astype(dtype)
    yield (random.standard_normal(size) * 9).astype(np.int8).astype(dtype)
    yield np.zeros(size, dtype)
    yield np.arange(size).astype(dtype)
    if dtype.kind in "iu":
        for end in (np.iinfo(dtype).min, np.iinfo(dtype).max):
            yield np.full(size, end, dtype)
    if dtype.kind == "f":
        for end in (np.nan, np.inf, -np.inf, -0.0, 0.0):
            for others in (0.0, end, -end, 1.0):
                x = np.full(size, others, dtype)
                x[size // 2 :: 7] = end
                yield x


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_of_all_elements(dtype):
    call = native(of_all)
    for size in SIZES:
        for x in samples(dtype, size):
            for each in layouts(x):
                checked(call, of_all, each)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_along_an_axis(dtype):
    call, all_call, random = native(along_axes), native(of_all), np.random.default_rng(0)
    for shape in SHAPES:
        x = (random.standard_normal(shape) * 3).astype(np.int8).astype(dtype)
        for each in (*layouts(x), x.T, x[:, ::-1], x[:, :1], np.broadcast_to(x[:1], x.shape[-2:])):
            checked(call, along_axes, each)
            checked(all_call, of_all, each)


@pytest.mark.parametrize(
    "shape", [(2, 3, 4), (0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 3, 1), (4, 70, 33)]
)
def test_of_three_axes(shape):
    call, x = native(along_the_middle), np.random.default_rng(0).integers(0, 9, shape)
    for each in (x, x.T, x.transpose(1, 0, 2), x[::-1, :, ::2], x.transpose(2, 0, 1)):
        checked(call, along_the_middle, each)


def test_bytes_of_bools():
    call = native(of_all)
    for each in ([0] * 100 + [3, 1, 255], [3, 1, 2] * 100 + [0, 255]):
        checked(call, of_all, np.array(each, np.uint8).view(bool))


def test_what_has_no_native_form():
    call = native(of_all)
    for x in (np.zeros(5, complex), np.array(2.5), np.float32(3), np.arange(4).astype("e")):
        checked(call, of_all, x)
    for x in (np.arange(9, dtype=">f8"), np.arange(33, dtype=np.uint8)[1:].view("f8")):
        checked(call, of_all, x)


def test_a_nan_is_no_invalid_operation():
    """Behind what others have seen, a flag of the processor would become a warning."""

    def after_a_write(x, seen):
        seen *= 2.0
        return np.argmax(x), np.argmin(x[::-1])

    for dtype in (np.float32, np.float64):
        for size in (3, 500):
            x = np.ones(size, dtype)
            x[size // 2] = np.nan
            found = native(after_a_write)(x, np.ones(3))
            assert found == after_a_write(x, np.ones(3))


def test_no_python_runs():
    x = np.linspace(-1, 1, 100)
    assert frames_of(warm(of_all, x), x) == []
    assert frames_of(warm(along_axes, x.reshape(10, 10)), x.reshape(10, 10)) == []
