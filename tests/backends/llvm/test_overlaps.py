"""Writes to arrays that are read at other places: NumPy computes all that is written first."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def heat(x):
    for _ in range(3):
        x[1:-1] = x[1:-1] + 0.25 * (x[2:] - 2.0 * x[1:-1] + x[:-2])
    return x


def heat_in_place(x):
    for _ in range(3):
        x[1:-1, 1:-1] += 0.25 * (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] - 3.0 * x[1:-1, :-2])
    return x


def shifted(x):
    x[1:] = x[:-1] * 2.0
    x[:-1] -= x[1:]
    return x


def shifted_without_arithmetic(x):
    x[1:] = x[:-1]
    x[:-2] = x[2:]
    return x


def copied_in_other_steps(x):
    n = len(x) // 2
    x[1 : n + 1] = x[: 2 * n : 2]
    return x


def turned(x):
    x[::-1] = x + 1.0
    x[:] = x[::-1] * 0.5
    x[::-1] += x
    return x


def every_second(x):
    x[::2] = x[: (len(x) + 1) // 2] * 3.0
    x[: len(x) // 2] += x[1::2]
    return x


def transposed(x):
    x[...] = x.T + 1.0
    x += x.T
    return x


def rows_from_one(x):
    x[...] = x[1] + 1.0
    x += x[0]
    return x


def itself(x):
    x[1:] = x[1:]
    x[...] = x
    return x


def several_names(x):
    y = x[1:]
    x[:-1] = y * 2.0 + x[:-1]
    y[...] = x[:-1] - 1.0
    return y


VECTORS = [
    heat, shifted, shifted_without_arithmetic, copied_in_other_steps, turned, every_second, itself,
    several_names,
]  # fmt: skip
MATRICES = [heat_in_place, shifted, turned, rows_from_one, itself, several_names]


def check(function, x):
    native, expected, actual = staticpy.jit(function, backend="llvm"), x.copy(), x.copy()
    left, right = function(expected), native(actual)
    np.testing.assert_array_equal(right, left)
    np.testing.assert_array_equal(actual, expected)
    assert (right.base is actual) == (left.base is expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [2, 3, 9, 16, 1000])
@pytest.mark.parametrize("function", VECTORS)
def test_vectors(function, size, dtype):
    check(function, np.random.default_rng(size).random(size).astype(dtype))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(2, 2), (3, 4), (9, 17), (30, 5), (3, 0)])
@pytest.mark.parametrize("function", MATRICES)
def test_matrices(function, shape, order):
    check(function, np.asarray(np.random.default_rng(1).random(shape), order=order))


@pytest.mark.parametrize("size", [1, 2, 7, 20])
def test_a_matrix_and_its_transpose(size):
    check(transposed, np.random.default_rng(size).random((size, size)))


def test_an_array_with_gaps():
    for function in VECTORS:
        native = staticpy.jit(function, backend="llvm")
        expected, actual = (np.arange(60.0)[5:-5:3] for _ in range(2))
        np.testing.assert_array_equal(native(actual), function(expected))
        np.testing.assert_array_equal(actual.base, expected.base)


@pytest.mark.parametrize("shape", [(5,), (4, 3), (0, 3)])
def test_a_new_array_is_there_before_it_is_written_to(shape):
    def by_itself(x):
        y = x + 1.0
        y /= y
        z = y * 2.0
        z -= z
        return y + z

    x = np.random.default_rng(0).random(shape)
    found = staticpy.jit(by_itself, backend="llvm")(x)
    np.testing.assert_array_equal(found, by_itself(x))


def test_a_write_of_an_array_to_itself_asks_whether_it_may():
    x = np.arange(4.0)
    x.flags.writeable = False
    for function in (itself, shifted):
        with pytest.raises(ValueError, match="read-only"):
            staticpy.jit(function, backend="llvm")(x)


def test_large_arrays():
    check(heat, np.random.default_rng(0).random(300_000))
    check(heat_in_place, np.random.default_rng(0).random((400, 500)))


def test_a_view_that_a_later_loop_reads():
    """``v.shape`` reads ``v`` last in the text; the loop that ends with ``- w`` is later."""

    def late(x, y):
        v = np.linalg.inv(x).T
        a = v * y
        w = np.concatenate([y[:, :2], np.zeros((len(y), v.shape[1] - 2))], axis=1)
        return a - w

    x, y = np.random.default_rng(0).random((2, 5, 5))
    native = staticpy.jit(late, backend="llvm")
    for _ in range(20):
        np.testing.assert_array_equal(native(x, y), late(x, y))


def added(x, y):
    x += y
    return x


def stored(x, y):
    x[:] = y
    return x


def test_axes_of_size_one_in_front():
    """A store drops them; an operator in place has no room for them."""
    y = np.arange(4.0)[None]
    native = staticpy.jit(stored, backend="llvm")
    np.testing.assert_array_equal(native(np.zeros(4), y), stored(np.zeros(4), y))
    with pytest.raises(ValueError, match="broadcast"):
        staticpy.jit(added, backend="llvm")(np.zeros(4), y)
