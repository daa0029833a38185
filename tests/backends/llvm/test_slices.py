"""Slices whose parts are numbers of the running program, read and written."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

ENDS = (-9, -4, -1, 0, 2, 5, 7)
STEPS = (-(2**63), -3, -1, 0, 1, 2, 5, 2**63 - 1)


def views(x, i, j, k):
    return x[i:j:k], x[::k], x[i::k], x[:j:k], x[5:2:2], x[2:5:-1], x[::-2]


def fills(x, i, j, k):
    x[i:j:k] = 7
    x[::k] += 1
    x[j::-2] = 3
    return (x,)


def copies(x, i, j, k):
    y = x[::-1] * 2
    x[i:j:k] = y[i:j:k]
    x[::2] = y[: len(x[::2])]
    return (x,)


def of_rows(x, i, j, k):
    y = x.reshape(1, -1) + np.zeros((3, 1), x.dtype)
    y[:, i:j:k] = 5
    y[::k, 1] = y[::k, 0]
    return (y,)


def outcome(function, *arguments):
    try:
        results = function(*arguments)
    except ValueError as error:
        return str(error)
    return [(each.shape, each.strides, each.tobytes()) for each in results]


@pytest.mark.parametrize("dtype", ["int8", "int16", "float64"])
@pytest.mark.parametrize("function", [views, fills, copies, of_rows])
def test_slices(function, dtype):
    compiled = staticpy.jit(function, backend="llvm")
    for i, j, k in product(ENDS, ENDS, STEPS):
        for step in (1, -2):
            x, y = (np.arange(12).astype(dtype)[::step] for _ in range(2))
            assert outcome(compiled, x, i, j, k) == outcome(function, y, i, j, k)
            assert x.tobytes() == y.tobytes()


@pytest.mark.parametrize("dtype", ["bool", "float32"])
def test_an_array_without_axes_is_a_number(dtype):
    def assigned(x, number):
        x[::2] = number
        x[:2] = number
        return x, x * number

    x, number = np.zeros(7, dtype), np.array(1.5).astype(dtype)
    compiled = staticpy.jit(assigned, backend="llvm")
    assert outcome(compiled, x.copy(), number) == outcome(assigned, x.copy(), number)


def combined(x, y, z, i, j, k):
    first = x[i:] + y[j:]
    second = first * z[k:]
    return first, second, np.sum(second - first)


def test_parts_whose_sizes_only_the_run_knows_are_one_loop():
    native = staticpy.jit(combined, backend="llvm")
    arrays = [np.arange(4.0) + n for n in range(3)]
    kernels = native.lower(*arrays, 0, 0, 0).compile().kernels
    assert [each.operations for each in kernels] == [("add", "multiply", "subtract", "sum")]


def test_parts_of_any_size_stretch_each_other():
    """Also a part that the loop itself computes, of one element, by one that it reads."""
    native = staticpy.jit(combined, backend="llvm")
    arrays = [np.arange(4.0) + n for n in range(3)]
    for starts in product(range(5), repeat=3):
        try:
            expected = combined(*arrays, *starts)
        except ValueError:
            with pytest.raises(ValueError, match="broadcast"):
                native(*arrays, *starts)
            continue
        for found, wanted in zip(native(*arrays, *starts), expected, strict=True):
            assert found.shape == wanted.shape
            assert found.tobytes() == wanted.tobytes()
