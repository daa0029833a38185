"""A NaN that is compared, or not converted, is not warned of where others see what is written."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def largest(out, x):
    for i in range(len(out)):
        out[i] = max(x, 0.0)
    return out


def larger_by_a_branch(out, x):
    y = 1.0
    if x > y:
        y = x
    out[:] = y
    return out


def infinite(out, x):
    y = out.copy()
    for i in range(1, len(out)):
        v = y[i - 1] - 0.25
        if x >= v + y[i - 1] or y[i] == np.inf:
            v = y[i]
        out[i] = v
    return out


def no_infinity(out, x):
    for i in range(1, len(out)):
        v = out[i] * 0.25
        if v != float("inf"):
            v = x
        out[i] = v
    return out


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", [infinite, no_infinity])
def test_a_nan_that_is_compared_with_infinity_is_not_warned_of(function, dtype):
    compiled = staticpy.jit(function, backend="llvm")
    given = np.array([1, np.nan, np.inf, 2, -np.inf, np.nan, 3] * 6, dtype)
    for x in (2.0, np.nan, np.inf):
        found, warned = with_warnings(compiled, given.copy(), x)
        expected, due = with_warnings(function, given.copy(), x)
        assert repr(found) == repr(expected)
        assert {each.category for each in warned} == {each.category for each in due}


@pytest.mark.parametrize("function", [largest, larger_by_a_branch])
def test_a_comparison_with_a_nan_before_a_write_is_not_warned_of(function):
    """Behind it a float is converted, of which something might have to be warned."""
    compiled = staticpy.jit(function, backend="llvm")
    for x in (2.0, np.nan, 1e300, np.nan):
        found, warned = with_warnings(compiled, np.zeros(3, np.float32), x)
        expected, due = with_warnings(function, np.zeros(3, np.float32), x)
        assert repr(found) == repr(expected)
        assert {each.category for each in warned} == {each.category for each in due}
