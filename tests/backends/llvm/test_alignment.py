"""Rows that begin anywhere in a line of the cache: each element is computed once, whatever comes
before the first whole vector and after the last.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import maths


@staticpy.jit(backend="llvm")
def counted_up(x, y):
    """In place: what is computed twice is seen."""
    x += y
    return x


@staticpy.jit(backend="llvm")
def curve(x, y):
    return 0.5 * x * (1 + np.tanh(x * y)) - np.sqrt(np.abs(y))


@staticpy.jit(backend="llvm")
def largest(x, y):
    return (x - y).max()


@staticpy.jit(backend="llvm")
def widened(x, y):
    return x.astype(np.float64) * 2 + y


@staticpy.jit(backend="llvm")
def of_rows(x, y):
    x[1:-1] = x[:-2] + y[2:]
    return x


FUNCTIONS = [counted_up, curve, largest, widened, of_rows]


def placed(values, offset):
    """A copy that begins so many bytes behind a line."""
    memory = np.full(values.nbytes + 256, 255, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    made = memory[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    made[...] = values
    return made, memory


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
@pytest.mark.parametrize("size", [0, 1, 15, 511, 512, 513, 1100, 2048, 5000])
def test_wherever_rows_begin(function, dtype, size):
    rng = np.random.default_rng(size)
    if size == 0 and function is largest:
        return
    if function is curve and dtype == "int16":
        return
    x, y = (rng.integers(-9, 9, size).astype(dtype) for _ in range(2))
    wanted = None
    for offset in range(0, 64, 2 if dtype == "int16" else int(dtype[-2:]) // 8):
        for other in (0, 16):
            (left, around), (right, _) = placed(x, offset), placed(y, other)
            untouched = around.copy()
            found = np.array(function(left, right))
            wanted = found if wanted is None else wanted
            assert np.array_equal(found, wanted)
            changed = np.flatnonzero(around != untouched)
            start = left.ctypes.data - around.ctypes.data
            assert not len(changed) or (changed[0] >= start and changed[-1] < start + left.nbytes)
    if function is not curve:
        assert np.array_equal(wanted, function.__wrapped__(x.copy(), y))


def some_rare(dtype, size=3000):
    """Numbers of all sizes, and now and then any bits: infinities, NaN, subnormal numbers."""
    rng = np.random.default_rng(7)
    word = {"float32": np.uint32, "float64": np.uint64}[dtype]
    x = (rng.normal(size=size) * 10.0 ** rng.uniform(-5, 5, size)).astype(dtype)
    any_bits = rng.integers(0, np.iinfo(word).max, size, dtype=word).view(dtype)
    return np.where(rng.random(size) < 0.03, any_bits, x)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [each for each in maths.NAMES if hasattr(np, each)])
def test_bits_are_the_same_wherever_a_row_begins(name, dtype):
    """Other elements are in one vector then, and what is rare in one is done apart for all of
    them.
    """
    function = getattr(np, name)
    others = (lambda x: (x, x[::-1])) if name in maths.BINARY else (lambda x: (x,))
    native = staticpy.jit(lambda x: function(*others(x)), backend="llvm")
    x = some_rare(dtype)
    expected = np.array(native(placed(x, 0)[0]))
    for offset in (8, 16, 48):
        found = np.array(native(placed(x, offset)[0]))
        same = (found == expected) & (np.signbit(found) == np.signbit(expected))
        assert (same | (np.isnan(found) & np.isnan(expected))).all()


def test_rows_of_a_matrix_begin_at_different_places():
    x, y = (np.random.default_rng(k).normal(size=(9, 1001)) for k in (0, 1))
    expected = x + y
    assert np.array_equal(counted_up(x, y), expected)
    with np.errstate(all="raise"):  # lanes under a mask raise nothing
        assert np.isfinite(curve(np.abs(x), y)).all()
