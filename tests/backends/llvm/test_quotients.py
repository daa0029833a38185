"""Divisions of many floats by one: the bits and the warnings of a division."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


@staticpy.jit(backend="llvm")
def after_a_write(x, y):
    """Where it can't be done again, so that each flag counts."""
    x[0] += 0
    return x / y


WORDS = {np.float32: np.uint32, np.float64: np.uint64}
SIZES = [0, 1, 7, 8, 16, 33, 1000]


@staticpy.jit(backend="llvm")
def by_number(x, y):
    return x / y


@staticpy.jit(backend="llvm")
def in_place(x, y):
    x /= y
    return x


@staticpy.jit(backend="llvm")
def by_constant(x):
    return x / 3.0


@staticpy.jit(backend="llvm")
def by_column(x, y):
    return x / y[:, None]


@staticpy.jit(backend="llvm")
def by_sums(x):
    return x / x.sum(axis=-1, keepdims=True)


@staticpy.jit(backend="llvm")
def summed(x, y):
    return (x / y).sum(axis=-1)


def any_bits(rng, dtype, size):
    """Subnormal numbers, infinities and NaN are among them."""
    return rng.integers(0, np.iinfo(WORDS[dtype]).max, size, dtype=WORDS[dtype]).view(dtype)


def same(found, wanted):
    """Bit by bit; of a NaN, that it is one."""
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    word = WORDS[found.dtype.type]
    equal = found.view(word) == wanted.view(word)
    return bool((equal | (np.isnan(found) & np.isnan(wanted))).all())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", SIZES)
def test_any_numbers(dtype, size):
    rng = np.random.default_rng(size)
    for exponent in range(-40, 41, 8):
        x = rng.standard_normal(size).astype(dtype)
        for dividends in (x, any_bits(rng, dtype, size), x * dtype(1e-30)):
            dividends[::9] = 0
            dividends[1::9] = -0.0
            scale = dtype(10.0) ** dtype(exponent)
            for y in (scale * dtype(rng.standard_normal()), any_bits(rng, dtype, 1)[0]):
                assert same(by_number(dividends, y), dividends / y)
                assert same(in_place(dividends.copy(), y), dividends / y)
            assert same(by_constant(dividends), dividends / 3.0)


TEXTS = [3, -0.7, 1e-3, 1 / 3, 2.0**-30, 2.0**30, 1e-30, 1e30, 1e-310, 0.0, np.inf, np.nan]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("y", TEXTS)
def test_divisors_that_the_text_says(dtype, y):
    def divided(x):
        total = (x / y).sum()
        x = x / y + x
        x /= y
        return x / y, total

    compiled, rng = staticpy.jit(divided, backend="llvm"), np.random.default_rng(0)
    for x in (rng.standard_normal(1000).astype(dtype), any_bits(rng, dtype, 1000)):
        for found, wanted in zip(compiled(x), divided(x), strict=True):
            assert same(np.asarray(found), np.asarray(wanted))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", SIZES)
def test_rows(dtype, size):
    rng = np.random.default_rng(size)
    x, y = rng.standard_normal((9, size)).astype(dtype), rng.standard_normal(9).astype(dtype)
    x[1], x[2, ::2], y[3], y[4], y[5] = 0, np.inf, 0, np.nan, np.finfo(dtype).tiny
    assert same(by_column(x, y), x / y[:, None])
    assert same(by_column(x[::2], y[::-2]), x[::2] / y[::-2, None])
    assert same(by_column(x[:, ::2], y), x[:, ::2] / y[:, None])
    assert same(by_sums(x), x / x.sum(axis=-1, keepdims=True))
    for number in y:
        assert same(summed(x, number), (x / number).sum(axis=-1))


DIVISORS = [3, 7, 1.5, 10, 1.9999999, 1.0000001, 0.1, 4 / 3, 255, 1e-3]


@pytest.mark.parametrize("divisor", DIVISORS)
def test_every_float32_between_two_powers(divisor):
    x = (np.arange(1 << 23, dtype=np.uint32) | np.float32(1).view(np.uint32)).view(np.float32)
    y = np.float32(divisor)
    np.testing.assert_array_equal(by_number(x, y), x / y)


@pytest.mark.parametrize("divisor", DIVISORS)
def test_float64_next_to_where_it_is_rounded_the_other_way(divisor):
    rng = np.random.default_rng(1)
    halves = (rng.integers(1 << 52, 1 << 53, 100_000) + 0.5) * divisor
    for x in (halves, np.nextafter(halves, 0), np.nextafter(halves, np.inf)):
        np.testing.assert_array_equal(by_number(x, divisor), x / divisor)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("y", [0, 1e-30, 1e-40, 1e-310, 1e300, np.inf, np.nan, 3])
@pytest.mark.parametrize("first", [0, 1, 1e30, np.inf, -np.inf, np.nan, 1e-40])
@pytest.mark.parametrize("others", [0, 0.75, np.inf, np.nan])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_what_is_warned_of(dtype, y, first, others):
    x, y = np.full(40, others, dtype), dtype(y)
    x[0] = first

    def said(function):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with np.errstate(all="warn"):
                function(x, y)
        return sorted(str(each.message).split(" encountered")[0] for each in caught)

    assert said(by_number) == said(np.divide)
    assert said(after_a_write) == said(np.divide)
