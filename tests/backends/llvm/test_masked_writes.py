"""Writes of a number wherever a mask says so: ``x[x < 0] = 0`` in fused loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import outcome

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

ELEMENTS = [np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64]
SHAPES = [(0,), (1,), (8,), (131,), (5, 7), (0, 3), (3, 0), (4, 3, 9), (40000,), (300, 200)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def rectified(x):
    x[x < 0.5] = 0
    return x


def masked(x, mask):
    x[mask] = True
    return x


def of_number(x, mask, value):
    x[mask] = value
    return x


def of_other(x, y):
    x[(y > 0) & (x == x)] = 2.5
    return y * 2


def counted(x):
    negative = x < 0
    x[negative] = 0.0
    return negative, negative.sum()


def of_rows(x):
    x[x > x.max(axis=1, keepdims=True) - 1] = -1.0
    return x


def itself(x):
    x[x] = False
    return x


def shifted(x):
    x[1:][x[:-1] > 0] = 0.0
    return x


def many_small(x):
    x[x > 1] = 3
    return x


def layouts(x):
    yield x
    yield np.asfortranarray(x)
    yield x[..., ::2]
    yield x[::-1]
    yield x.T
    yield np.frombuffer(bytearray(b"\0" + x.tobytes()), x.dtype, offset=1).reshape(x.shape)


def numbers(shape, dtype):
    return np.random.default_rng(len(shape)).integers(-3, 3, shape).astype(dtype)


def names_of_kernels(function, *arguments):
    return [each.operations for each in native(function).lower(*arguments).compile().kernels]


@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_elements(dtype, shape):
    for function in (rectified, many_small):
        call = native(function)
        for x in layouts(numbers(shape, dtype)):
            assert outcome(call, x) == outcome(function, x)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_masks_lie_in_any_way(dtype):
    call = native(masked)
    for shape in SHAPES:
        for x, mask in zip(
            layouts(numbers(shape, dtype)), layouts(numbers(shape, bool)), strict=True
        ):
            assert outcome(call, x, mask) == outcome(masked, x, mask)
        x, mask = numbers(shape, dtype), numbers(shape, bool)
        for each in (np.asfortranarray(mask), mask[::-1], mask[:1], mask[:-1], ~mask, mask & False):
            assert outcome(call, x, each) == outcome(masked, x, each)


def test_masks_of_other_sizes():
    call = native(masked)
    for mask in (np.ones((3, 1)), np.ones((1, 4)), np.ones((4, 3)), np.ones((3, 4)), np.ones(3)):
        for value in (mask > 0, mask < 0):
            assert outcome(call, np.zeros((3, 4)), value) == outcome(
                masked, np.zeros((3, 4)), value
            )


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (np.float32, np.float32(0.1)),
        (np.float64, 2**63 - 1),
        (np.float32, 2**62 + 1),
        (np.int8, 300),
        (np.int8, -3),
        (np.uint8, -1),
        (np.int64, 2.5),
        (np.int32, np.int64(2**40)),
        (np.bool_, 7),
        (np.bool_, 0.0),
        (np.float64, np.nan),
    ],
)
def test_numbers_are_cast_as_numpy_casts_them(dtype, value):
    call, x = native(of_number), np.zeros(9, dtype)
    for mask in (np.arange(9) % 2 == 0, np.zeros(9, bool)):
        assert outcome(call, x, mask, value) == outcome(of_number, x, mask, value)


@pytest.mark.parametrize("value", [1e300, np.float64(1e300)])
@pytest.mark.parametrize("selects", [True, False])
def test_numbers_that_become_infinite(value, selects):
    call, mask = native(of_number), np.full(9, selects)
    for function in (call, of_number):
        with pytest.warns(RuntimeWarning, match="overflow"):
            x = function(np.zeros(9, np.float32), mask, value)
        assert np.isinf(x).all() == selects


def test_constants_that_do_not_fit():
    def too_large(x):
        x[x > 0] = 300
        return x

    call = native(too_large)
    for dtype in (np.int8, np.uint8, np.int16, np.float32):
        for x in (np.ones(5, dtype), np.zeros(5, dtype)):
            assert outcome(call, x) == outcome(too_large, x)


@pytest.mark.parametrize("function", [counted, of_rows, shifted])
def test_programs(function):
    call = native(function)
    for shape in ((6, 7), (1, 1), (2, 500), (400, 300)):
        for x in layouts(np.random.default_rng(0).standard_normal(shape)):
            if function is shifted:
                assert outcome(call, x[0]) == outcome(function, x[0])
            assert outcome(call, x) == outcome(function, x)


def test_what_is_read_and_written():
    x = np.random.default_rng(0).standard_normal(300)
    call = native(of_other)
    for pair in ((x[:-1], x[1:]), (x, x), (x, x[::-1]), (x[1:], x[:-1]), (x, x * 2), (x, x[:1])):
        assert outcome(call, *pair) == outcome(of_other, *pair)
    shared = x.copy(), x.copy()
    results = [f(y[:-1], y[1:]) for f, y in zip((call, of_other), shared, strict=True)]
    assert results[0].tobytes() == results[1].tobytes()
    assert shared[0].tobytes() == shared[1].tobytes()
    assert outcome(native(itself), x > 0) == outcome(itself, x > 0)


def test_arrays_that_cannot_be_written_to():
    x = np.arange(9.0)
    x.flags.writeable = False
    for function in (rectified, counted):
        with pytest.raises(ValueError, match="read-only"):
            native(function)(x)


def test_gathers_and_masks():
    def both(x, i):
        x[x[i] < 0] = 1.0
        return x

    call, x = native(both), np.random.default_rng(0).standard_normal(500)
    i = np.random.default_rng(1).permutation(500)
    for each in (i, i + 1, i[:-1], -i - 1):
        assert outcome(call, x, each) == outcome(both, x, each)


def test_masked_writes_are_fused():
    assert names_of_kernels(rectified, np.zeros(3)) == [("less", "store")]
    assert names_of_kernels(masked, np.zeros((3, 4)), np.ones((3, 4), bool)) == [("store",)]
    assert names_of_kernels(counted, np.zeros(3))[0] == ("less", "store")
