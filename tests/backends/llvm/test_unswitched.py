"""Loops whose rounds all ask the same: by a flag, or by the index of the loop around."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, differences

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def with_flags(x, out, scaled, shifted):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            value = x[i, j]
            if scaled:
                value *= 3
            if shifted and j > 0:
                value += x[i, j - 1]
            out[i, j] = value
    return j


def edges(x, out, scaled, shifted):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            total, count = x[i, j], 1
            if i > 0:
                total += x[i - 1, j]
                count += 1
            if i < n - 1:
                total += x[i + 1, j]
                count += 1
            if j > 0:
                total += x[i, j - 1]
                count += 1
            if j < m - 1:
                total += x[i, j + 1]
                count += 1
            out[i, j] = total // count if scaled else total


def the_same(x, out, scaled, shifted):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            if scaled:
                out[i, j] = x[0, 0] * x[-1, -1]
            if shifted:
                out[i, j] = x[i, j] * x[-1, -1]


def beyond(x, out, scaled, shifted):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j]
            if scaled and shifted:
                out[i, j + 1] = 0


PROGRAMS = (with_flags, edges, the_same, beyond)


@pytest.mark.parametrize("dtype", ["int64", "float64", "float32", "int8"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_as_cpython(program, dtype):
    """Values, writes, exceptions, and warnings: what isn't done overflows nothing."""
    native = staticpy.jit(program, backend="llvm")
    large = np.finfo(dtype).max if dtype[0] == "f" else 100
    table = np.arange(20).reshape(4, 5).astype(dtype)
    high = np.full((3, 4), large, dtype=dtype)
    calls = [
        Call((x, np.zeros(x.shape, dtype=dtype), scaled, shifted))
        for x in (table, high, table[:1], table[:, :1], table[:0], table[:, ::-2], table.T)
        for scaled in (False, True)
        for shifted in (False, True)
        if x.size or program is not the_same
    ]
    assert differences(program, calls, {"llvm": native}) == []
