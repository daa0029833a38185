"""Loops over numbers that compare floats: vectors or not, NaNs raise no flags, so that nothing is
warned of, and nothing done again.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def positive(x, y, out):
    for i in range(len(x)):
        out[i] = x[i] if x[i] > 0 else 0.0


def larger(x, y, out):
    for i in range(len(x)):
        out[i] = max(x[i], y[i])


def clipped(x, y, out):
    for i in range(len(x)):
        out[i] = min(max(x[i], -1.0), 1.0)


def numpys(x, y, out):
    for i in range(len(x)):
        out[i] = np.minimum(np.maximum(x[i], 0.0), y[i]) + np.fmax(x[i], -0.5)


def beside_known(x, y, out):
    for i in range(len(x)):
        out[i] = np.fmin(2.0, x[i]) - np.maximum(-0.0, y[i]) + np.fmin(x[i], 0.5)


def beside_nan(x, y, out):
    for i in range(len(x)):
        out[i] = np.maximum(x[i], np.nan)
        x[i] = np.fmin(np.nan, y[i])


def beside_infinity(x, y, out):
    for i in range(len(x)):
        out[i] = np.maximum(x[i], -np.inf) * np.fmax(np.inf, y[i])


def signs(x, y, out):
    for i in range(len(x)):
        if x[i] >= y[i]:
            out[i] = 2.0
        elif x[i] <= -0.5:
            out[i] = np.sign(x[i])


def small(x, y, out):
    for i in range(len(x)):
        if x[i] < y[i]:
            out[i] = x[i] * 2.0


def counted(x, y, out):
    count = 0
    for i in range(1, len(x)):
        if x[i - 1] < 0 and x[i] >= 0:
            count += 1
    out[0] = count


def rows(x, y, out):
    x, y, out = x.reshape(-1, 4), y.reshape(-1, 4), out.reshape(-1, 4)
    for i in range(len(x)):
        for j in range(4):
            out[i, j] = max(x[i, j], y[i, j]) * 2.0


def leaky(x, y, out):
    for i in range(len(x)):
        out[i] = x[i] if x[i] > 0 else 0.1 * x[i]


def huber(x, y, out):
    for i in range(len(x)):
        error = x[i] - y[i]
        if abs(error) < 1.0:
            out[i] = 0.5 * error * error
        else:
            out[i] = abs(error) - 0.5


def in_pieces(x, y, out):
    for i in range(len(x)):
        value = x[i]
        if value < -1.0:
            out[i] = -1.0
        elif value < y[i]:
            out[i] = value * value
        else:
            out[i] = 2.0 * value - 1.0


def smooth(x, y, out):
    for i in range(len(x)):
        t = min(max(x[i], 0.0), 1.0)
        out[i] = t * t * (3.0 - 2.0 * t)


def upwind(x, y, out):
    for i in range(1, len(x) - 1):
        if y[i] > 0:
            out[i] = y[i] * (x[i] - x[i - 1])
        else:
            out[i] = y[i] * (x[i + 1] - x[i])


def only_where_it_is_finite(x, y, out):
    """What the other side would compute is not warned of."""
    for i in range(len(x)):
        out[i] = x[i] - x[i] if abs(x[i]) < 1e30 else y[i]


def relaxed(x, y, out):
    """Each round reads what one of them writes."""
    k = len(x) // 2
    for i in range(len(x)):
        through = out[k] + x[i]
        if through < y[i]:
            out[i] = through


PROGRAMS = [
    *(leaky, huber, in_pieces, smooth, upwind, relaxed, only_where_it_is_finite),
    positive,
    larger,
    clipped,
    numpys,
    beside_known,
    beside_nan,
    beside_infinity,
    signs,
    small,
    counted,
    rows,
]


def made_here(function):
    def program(x, y):
        out = np.zeros_like(x)
        function(x, y, out)
        return out

    return program


def outcome(function, x, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(x, y)
    found[np.isnan(found)] = np.nan  # of a sum of two, which one it is depends on their order
    return found.tobytes(), sorted({str(each.message) for each in caught})


def numbers(dtype, size):
    rng = np.random.default_rng(size)
    x, y = (rng.normal(size=size).astype(dtype) for _ in range(2))
    for number in (np.nan, -0.0, 0.0, np.inf, -np.inf, -np.nan, 5e-324):
        x[rng.integers(0, size, size // 9)] = number
        y[rng.integers(0, size, size // 9)] = number
    return x, y


@pytest.mark.parametrize("visible", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", PROGRAMS)
def test_comparisons_with_nan(function, dtype, visible):
    plain = made_here(function)
    native = staticpy.jit(plain, backend="llvm")
    if visible:
        written = staticpy.jit(function, backend="llvm")

        def native(x, y):
            out = np.zeros_like(x)
            written(x, y, out)
            return out

    for size in (4, 36, 100, 1000):
        x, y = numbers(dtype, size)
        with np.errstate(all="ignore"):
            expected = outcome(plain, x, y)
            assert outcome(native, x, y) == expected
        (found, warned), (expected, due) = outcome(native, x, y), outcome(plain, x, y)
        assert found == expected
        assert bool(warned) == bool(due)
        assert visible or warned == due  # what has been written keeps it from saying by what


@pytest.mark.parametrize(
    "function", [positive, larger, clipped, counted, signs, leaky, huber, in_pieces, smooth, upwind]
)
def test_nothing_is_done_again_for_a_nan(function):
    """Python would take a hundred times as long as the same without NaNs does."""
    native = staticpy.jit(made_here(function), backend="llvm")
    x, y = np.random.default_rng(0).normal(size=(2, 100_000))
    best = []
    for _ in range(2):
        native(x, y)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            native(x, y)
            times.append(time.perf_counter() - start)
        best.append(min(times))
        x[::9] = np.nan
    assert best[1] < 20 * best[0]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u4", "u8"])
@pytest.mark.parametrize("k", [0, -1, 300, 2**63 - 1, np.int8(3), np.uint8(7), True])
def test_largest_of_integers_of_several_types(dtype, k):
    def largest(x, k):
        return [(max(each, k), min(k, each), max(min(each, 3), k), max(0, each, k)) for each in x]

    x = np.array([0, 1, 2, 3, 7, 100], dtype=dtype)
    found, expected = (f(x, k) for f in (staticpy.jit(largest, backend="llvm"), largest))
    assert [[(type(n), n) for n in row] for row in found] == [
        [(type(n), n) for n in row] for row in expected
    ]
