"""Indexes that are data, ``count[x[i]]``: those that count from the end and those that are out of
bounds do what they do in CPython, whatever was written before, in arguments and in new arrays.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def counted(x, count):
    own = np.zeros(len(count), dtype=np.int64)
    for i in range(len(x)):
        own[x[i]] += i
    return own


def counted_in_place(x, count):
    for i in range(len(x)):
        count[x[i]] += i
    return count


def counted_by_python(x, count):
    items = [0] * len(count)
    for i in range(len(x)):
        items[int(x[i])] += i
    return items


def followed(x, count):
    """Ways through ``x``, of which each step writes where it was."""
    place = 0
    for k in range(10):
        count[place] = k
        place = x[place]
    return place


def pairs(x, count):
    table = np.zeros((len(count), 3), dtype=np.int64)
    for i in range(1, len(x)):
        table[x[i], x[i - 1] % 3] += 1
    return table


def rows(x, count):
    table = np.arange(3 * len(count)).reshape(len(count), 3)
    total = 0
    for i in range(len(x)):
        total += table[x[i]].sum()
    return total


EVERY = (counted, counted_in_place, counted_by_python, followed, pairs, rows)
INDEXES = (
    [0, 1, 2, 3, 3, 1],
    [0, -1, 2, -4, 3, -3],
    [-1, -2, -3, -4],
    [1, 2, 3, 4, 0],
    [1, -4, -5, 0],
    [1, 2, 2**62],
    [1, -(2**63), 0],
    [0, 1, 2**63 - 1],
    [],
)


def outcome(function, x):
    count = np.zeros(4, dtype=np.int64)
    try:
        found = function(x, count)
    except IndexError as error:
        return str(error), count.tolist()
    return np.asarray(found).tolist(), count.tolist()


@pytest.mark.parametrize("plain", EVERY)
@pytest.mark.parametrize("backend", ["llvm", "python_source"])
def test_indexes_that_are_data(plain, backend):
    for order in (INDEXES, INDEXES[::-1]):  # which edition takes a call depends on those before
        native = staticpy.jit(plain, backend=backend)
        for indexes in order:
            x = np.array(indexes, dtype=np.int64)
            assert outcome(native, x) == outcome(plain, x), indexes


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint16, np.intp])
def test_indexes_of_other_widths(dtype):
    native = staticpy.jit(counted, backend="llvm")
    for indexes in ([0, 3, 1], [0, 4], [2, 100]):
        x = np.array(indexes, dtype=dtype)
        assert outcome(native, x) == outcome(counted, x), indexes


@pytest.mark.parametrize("size", [0, 1, 3])
def test_axes_of_few_elements(size):
    native = staticpy.jit(counted, backend="llvm")
    for indexes in ([0], [-1], [1], [-2], [2**63 - 1], [-(2**63)]):
        x, count = np.array(indexes, dtype=np.int64), np.zeros(size)
        outcomes = []
        for function in (native, counted):
            try:
                outcomes.append(function(x, count).tolist())
            except IndexError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], indexes
