"""Loops over integers that ask at the end whether a sum has overflowed: NumPy's warnings, Python's
ints and what others can see are those of a question in each round.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

LAST = 2**63 - 1


def neighbours(x, k):
    y = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        s = x[i - 1] + x[i + 1] - k
        y[i] = 1 if s == 3 or (s == 2 and x[i] == 1) else 0
    return y


def backwards(x, k):
    y = x.copy()
    for i in range(len(x) - 2, -1, -2):
        y[i] = min(x[i] + x[i + 1], x[i] - k)
    return y


def in_two_loops(x, k):
    y = x.copy()
    for j in range(3):
        for i in range(len(x)):
            y[i] = (x[i] + j) ^ k
    return y


def out_of_bounds(x, k):
    y = x.copy()
    for i in range(len(x)):
        y[i] = x[i] + x[i + 1] + k
    return y


def at_a_sum(x, k):
    y = x.copy()
    for i in range(len(x)):
        y[i] = y[x[i] - k] + x[i]
    return y


def into_an_argument(x, k):
    for i in range(len(x)):
        x[i] = x[i] + k
    return x


def outcome(function, x, k):
    x = np.array(x, np.int64)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = function(x, k).tolist()
        except IndexError as error:
            found = str(error)
    return found, x.tolist(), [str(each.message) for each in caught]


PROGRAMS = [neighbours, backwards, in_two_loops, out_of_bounds, at_a_sum, into_an_argument]


@pytest.mark.parametrize("function", PROGRAMS)
def test_sums_that_overflow(function):
    native = staticpy.jit(function, backend="llvm")
    some = [3, 1, -4, 1, -5, 9, 2, 6, -5]
    for x in (some, [], [LAST], [*some, LAST, 1], [-LAST, -LAST, 7], [2**62] * 70, some * 40):
        for k in (0, 3, LAST, -LAST, -LAST - 1):
            assert outcome(native, x, k) == outcome(function, x, k), (x, k)


def test_they_become_vectors():
    native = staticpy.jit(neighbours, backend="llvm")
    assert "x i64>" in native.lower(np.arange(5), 0).compile().llvm_ir
