"""Square roots of f64 and f32: the bits and the warnings of a square root."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


@staticpy.jit(backend="llvm")
def root(x):
    return np.sqrt(x)


@staticpy.jit(backend="llvm")
def normed(x, y):
    return x / np.sqrt(x * x + y * y)


@staticpy.jit(backend="llvm")
def after_a_write(x):
    """Where it can't be done again, so that each flag counts."""
    x[-1] += 0
    return np.sqrt(x)


def solutions(k, bits):
    """The m below 2^bits for which m² + m + k is a multiple of 2^bits: bit by bit (Hensel)."""
    found = [0, 1] if k % 2 == 0 else []
    for bit in range(1, bits):
        both = [more for m in found for more in (m, m + (1 << bit))]
        found = [m for m in both if (m * (m + 1) + k) % (2 << bit) == 0]
    return found


def nearest_to_a_middle(most):
    """Numbers of 53 bits whose roots are within most / 2^54 units of the middle of two floats, of
    both kinds of exponents: (m + 1/2)² is m² + m + 1/4.
    """
    found = []
    for bits in (52, 53):
        for k in range(-most, most + 1):
            for m in solutions(k, bits):
                for whole in range(m, 1 << 53, 1 << bits):
                    number = whole * (whole + 1) + k
                    if whole >= 1 << 52 and int(float(number)) == number:
                        found.append(float(number))
    return np.array(found)


def test_the_hardest_to_round():
    """The error is below 2^-50 units, so that it takes no more than 16 of 2^54."""
    hard = nearest_to_a_middle(400)
    assert len(hard) > 800
    middle = [Fraction(math.isqrt(int(each))) + Fraction(1, 2) for each in hard[:50]]
    assert all(abs(m * m - int(x)) <= 401 for m, x in zip(middle, hard, strict=False))
    for scale in (-700, -60, 0, 60, 700):
        x = np.ldexp(hard, scale)
        assert (root(x) == np.sqrt(x)).all()


def roots_of_words(first, last):
    """The float32 of these bits, and their roots."""
    x = np.arange(first, last, dtype=np.uint32).view(np.float32)
    with np.errstate(invalid="ignore"):
        return root(x), np.sqrt(x)


def test_all_of_f32_of_both_kinds_of_exponents():
    """Half of the elements are computed, the other half by the processor's root: so all twice. Each
    operation has the same bits for 4^n x, but for the exponent.
    """
    one, four = (int(np.float32(x).view(np.uint32)) for x in (1, 4))
    for first in (one, one - 16):
        found, wanted = roots_of_words(first, four)
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 16, 33, 1000, 20_000])
def test_any_numbers(size):
    rng = np.random.default_rng(size)
    words = rng.integers(0, np.iinfo(np.uint64).max, size, dtype=np.uint64)
    any_bits, usual = words.view(np.float64), rng.gamma(1, size=size)
    with np.errstate(all="ignore"):
        for x in (usual, np.abs(any_bits), any_bits, usual[::-1], usual * 1e-300, 0 * usual):
            found, wanted = root(x), np.sqrt(x)
            same = found.view(np.uint64) == wanted.view(np.uint64)
            assert (same | (np.isnan(found) & np.isnan(wanted))).all()
            assert np.array_equal(normed(x, usual), x / np.sqrt(x * x + usual * usual), True)


@pytest.mark.parametrize("size", [1, 15, 16, 31, 32, 33, 1000])
def test_any_f32(size):
    rng = np.random.default_rng(size)
    any_bits = rng.integers(0, 2**32 - 1, size, dtype=np.uint32).view(np.float32)
    usual = rng.gamma(1, size=size).astype(np.float32)
    with np.errstate(all="ignore"):
        for x in (
            usual,
            np.abs(any_bits),
            any_bits,
            usual[::-1],
            usual * np.float32(1e-30),
            0 * usual,
        ):
            assert np.array_equal(root(x), np.sqrt(x), equal_nan=True)
            assert np.array_equal(normed(x, usual), x / np.sqrt(x * x + usual * usual), True)


def said(caught):
    """What was warned of; of a root or of another operation."""
    return [str(each.message).split(" encountered")[0] for each in caught]


@pytest.mark.parametrize("bad", [0.0, -0.0, 5e-324, 1e-310, np.inf, np.nan, 1.7e308, -1.0, -np.inf])
@pytest.mark.parametrize("place", [0, 5, 30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rare_numbers_and_warnings(bad, place, dtype):
    x = np.arange(1.0, 33.0).astype(dtype)
    with np.errstate(all="ignore"):
        x[place] = bad
    for function in (root, after_a_write):
        with warnings.catch_warnings(record=True) as wanted:
            warnings.simplefilter("always")
            expected = np.sqrt(x)
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            found = function(x)
        assert said(given) == said(wanted)
        assert np.array_equal(found, expected, equal_nan=True)
        assert (np.signbit(found) == np.signbit(expected))[~np.isnan(expected)].all()


@pytest.mark.parametrize("count", [1, 7, 8, 31, 33, 70, 300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_where_several_registers_are_computed_at_a_time(count, dtype):
    """As for a reduction of few operations, or a comparison, whose results are bytes."""

    def largest(x):
        return np.sqrt(x).max()

    def any_below(x, y):
        return (np.sqrt(x) < y).any()

    def least(x):
        return np.sqrt(x).min(axis=-1)

    x = np.random.default_rng(count).uniform(0, 4, (3, count)).astype(dtype)
    for function, args in ((largest, (x,)), (any_below, (x, x)), (least, (x,))):
        compiled = staticpy.jit(function, backend="llvm")
        np.testing.assert_array_equal(compiled(*args), function(*args))
