"""What is left of a row is computed under a mask, or on processors without one at a time: results,
writes and warnings are NumPy's.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from staticpy.backends.llvm import engine, widths

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SIZES = [0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 130]
DTYPES = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


@pytest.fixture(params=["under a mask", "one at a time"])
def masks(request, monkeypatch):
    """Both, where this processor has both."""
    if request.param == "under a mask" and not engine.has_masks():
        pytest.skip("this processor has no AVX-512")
    monkeypatch.setattr(widths, "has_masks", lambda: request.param == "under a mask")


def arithmetic(x, y):
    return x + y, x * y, x > y, np.where(x > y, x, y)


def converted(x, y):
    return x.astype(np.float32) * 0.5, (y > 0).astype(np.int8), x.astype(np.int64) + 1


def extrema(x, y):
    return (x.max(), y.min(), (x > y).any(), (x == y).all()) if len(x) else (x, y)


def of_columns(x, y):
    both = np.stack((x, y, x))
    return both.max(axis=0), (both > 0).any(axis=0), both.sum(axis=0)


def sums_of_integers(x, y):
    return (x > y).sum(), (x.astype(np.int64) * 3).sum(), (y > 0).mean() if len(y) else 0


def in_place(x, y):
    x += y
    y[1:] = x[:-1]
    x[x > y] = 0
    return x, y


def gathered(x, y):
    order = np.arange(len(x))[::-1]
    return x[order] if len(x) else x, np.take(y, order % 3) if len(y) > 2 else y


def outcome(function, *given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(*given)
    found = [(each.dtype, each.tolist()) for each in map(np.asarray, found)]
    return found, [each.tolist() for each in given], sorted({str(each.message) for each in caught})


@pytest.mark.usefixtures("masks")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "plain",
    [arithmetic, converted, extrema, of_columns, sums_of_integers, in_place, gathered],
)
def test_what_is_left_of_a_row(plain, dtype):
    native = staticpy.jit(plain, backend="llvm")
    for size in SIZES:
        rng = np.random.default_rng(size)
        x, y = (rng.integers(0, 2 if dtype == "?" else 90, size).astype(dtype) for _ in range(2))
        assert outcome(native, x.copy(), y.copy()) == outcome(plain, x.copy(), y.copy())


def divided(x, y):
    return x / y, np.sqrt(x), x // y


@pytest.mark.usefixtures("masks")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("at", [0, 4, 8, 16, 18])
def test_flags_are_those_of_the_elements_that_there_are(dtype, at):
    """No division by a zero that isn't there; all of those that are."""
    native = staticpy.jit(divided, backend="llvm")
    x, y = np.full(19, 3.0, dtype), np.full(19, 2.0, dtype)
    assert outcome(native, x, y) == outcome(divided, x, y)
    assert not outcome(native, x, y)[2]
    for number in (0.0, np.nan, np.inf):
        y[at] = number
        assert outcome(native, x, y)[2] == outcome(divided, x, y)[2]


@pytest.mark.usefixtures("masks")
def test_nothing_is_written_behind_a_row():
    @staticpy.jit(backend="llvm")
    def doubled(x):
        x *= 2.0

    for size in SIZES:
        for start in (0, 1):
            memory = np.arange(200.0)
            doubled(memory[start : start + size])
            expected = np.arange(200.0)
            expected[start : start + size] *= 2.0
            np.testing.assert_array_equal(memory, expected)
