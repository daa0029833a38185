"""Lists and dicts in native code: values, what is written to them, exceptions, references."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, differences

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def check(function, *calls):
    native = staticpy.jit(function, backend="llvm")
    assert differences(function, [Call(call) for call in calls], {"llvm": native}) == []


def total(items):
    found = 0
    for i in range(len(items)):
        found += items[i] - items[-1 - i]
        found += items[i]
    return found


def doubled(items, factor):
    made = []
    for i in range(len(items)):
        made.append(items[i] * factor)
        made[i] += 1
    for i in range(len(items)):
        items[i] = made[-1 - i]
    return made


def counts(items):
    found = {}
    for item in items:
        found[item] = found.get(item, 0) + 1
    return found, len(found)


def looked_up(table, keys):
    found = []
    for key in keys:
        if key in table:
            found.append(table[key])
        else:
            table[key] = len(table)
    return found


def with_none(table, key):
    found = table.get(key)
    return -1 if found is None else found


def rows(items, i):
    items[i][0] += 1.0
    row = items[i]
    items[0] = row
    return row.sum(), items[-1][0]


def nested(items):
    found = 0
    for row in items:
        for item in row:
            found += item
        row.append(found)
    return found


def at(items, i):
    return items[i]


def put(items, i, item):
    items[i] = item


def value_of(table, key):
    return table[key]


def of_floats(x, keys):
    table = {}
    for key in keys:
        table[key] = x
    return [table[key] for key in keys]


def memo(n):
    known = {0: 0, 1: 1}
    for i in range(2, n):
        known[i] = known[i - 1] + known[i - 2]
    return known[n - 1]


class Named(NamedTuple):
    """A pair."""

    left: int
    right: int


def popped(items, n):
    found = []
    for _ in range(n):
        found.append(items.pop())
        if len(items) > 2:
            found.append(items.pop(-1))
    return found


def popped_elsewhere(items, n):
    return items.pop(0), items.pop(n), items.pop(-2)


def sorted_by_stack(x):
    x = x.copy()
    stack = [(0, len(x) - 1)]
    while stack:
        low, high = stack.pop()
        if low >= high:
            continue
        pivot, i = x[high], low
        for j in range(low, high):
            if x[j] < pivot:
                x[i], x[j] = x[j], x[i]
                i += 1
        x[i], x[high] = x[high], x[i]
        stack.append((low, i - 1))
        stack.append((i + 1, high))
    return x


def arrays_in_tuples(x, n):
    pairs = [(x, 1.5)]
    for i in range(n):
        y, factor = pairs.pop()
        pairs.append((y * factor, factor + i))
        pairs.append((y, factor))
        y[0] += 1
    return pairs


def taken_apart(pairs):
    found = 0
    for i in range(len(pairs)):
        left, right = pairs[i]
        found += left * right
    return found


def maybe_a_pair(n):
    for i in range(n):
        pair = (i, i + 0.5)
    if n > 2:
        a, b = pair
        return a + b
    return n


def popped_pairs(pairs):
    left, right = pairs.pop()
    again = (left, right + 1)
    pairs.append(again)
    return again


def test_pop():
    check(popped, ([1, 2, 3, 4, 5], 3), ([1.5], 1), ([1.5], 2), ([], 1), (["a", "b", "c", "d"], 2))
    check(popped, ([2**70, 1, 2], 2), ([np.arange(3), np.ones(3)], 2), ([True, False], 1))
    check(popped_elsewhere, ([1, 2, 3, 4, 5], 1), ([1, 2, 3], 7), ([1, 2], 0))


def test_tuples():
    check(sorted_by_stack, (np.array([3.5, 1.0, 2.0, 9.0, -1.0]),), (np.array([]),))
    check(arrays_in_tuples, (np.arange(3.0), 4), (np.arange(3), 2), (np.ones(2, np.float32), 3))
    check(taken_apart, ([(1, 2), (3, 4)],), ([],), ([(1, 2.5), (3, 0.5)],), ([(2**70, 1)],))
    check(taken_apart, ([Named(1, 2), Named(3, 4)],))
    check(maybe_a_pair, (0,), (2,), (5,))


def test_lists_of_numbers():
    check(total, ([1, 2, 3],), ([],), ([5],), ([1.5, -2.5],), ([2**62, 2**62, 2**62],))
    check(doubled, ([1, 2, 3], 2), ([], 1), ([1.5, 2.5], 3), ([2**40], 2**40), ([2**70], 1))
    check(total, ([np.float64(2.5), np.float64(3.5)],), ([True, False, True],))


def test_lists_of_arrays_and_lists():
    arrays = [np.arange(3.0), np.ones(3), np.zeros(3)]
    check(rows, (arrays, 1), (arrays, -1), (arrays, 0), (arrays, 3))
    check(nested, ([[1, 2], [3]],), ([[], [4]],), ([],))


@pytest.mark.parametrize("index", [0, -1, 2, 3, -3, -4, 10**6, np.int8(-1), True])
def test_indexes(index):
    check(at, ([1, 2, 3], index), ([1.5, 2.5, 3.5], index), (["a", "b", "c"], index))
    check(put, ([1, 2, 3], index, 7), ([1.5, 2.5, 3.5], index, 0.5))


def test_dicts():
    check(counts, ([1, 2, 1, 3, 1],), ([],), (["a", "b", "a"],), ([True, True],))
    check(looked_up, ({1: 5, 2: 6}, [1, 7, 2, 7]), ({}, [3]), ({"a": 1}, ["b", "a", "b"]))
    check(with_none, ({1: 5}, 1), ({1: 5}, 2), ({"a": 2.5}, "a"), ({"a": 2.5}, "b"))
    check(memo, (2,), (50,), (100,))


def test_keys_that_are_not_there():
    check(value_of, ({1: 2}, 3), ({"a": 2.5}, "b"), ({1: 2}, 1), ({1: np.ones(2)}, 1))


def test_numbers_that_are_equal_are_one_key():
    check(value_of, ({1: 2}, True), ({1: 2}, np.int64(1)), ({1: 2}, np.uint8(3)), ({1: 2}, 1.0))


def test_floats_as_keys():
    check(of_floats, (1, [1.5, 2.5, 1.5]), (1, [float("inf"), -0.0, 0.0]))


def test_references():
    items, table = [1.5, "a"], {"k": object()}
    held = np.arange(3.0)
    arrays, pairs = [held, held], [(held, 1.5), (held, 2.5)]
    before = sys.getrefcount(held), sys.getrefcount(table["k"])
    native = staticpy.jit(rows, backend="llvm")
    for _ in range(100):
        native(arrays, 1)
    pop = staticpy.jit(popped_pairs, backend="llvm")
    for _ in range(100):
        pop(pairs)
    numbers = [10**6 + i for i in range(10)]
    swap = staticpy.jit(doubled, backend="llvm")
    for _ in range(100):
        swap(numbers, 1)
    assert (sys.getrefcount(held), sys.getrefcount(table["k"])) == before
    assert all(sys.getrefcount(each) <= 4 for each in numbers)
    assert items == [1.5, "a"]


def vector(a, b, n):
    y = np.array([a, b])
    for _ in range(n):
        y = np.array([y[1], -y[0] + 1])
    return y, np.array([[a, b], [b, a]])


def test_arrays_of_numbers():
    check(vector, (1.0, 2.0, 3), (1, 2, 3), (np.float32(1), np.float32(2), 2), (True, 1.5, 1))
    check(vector, (1.0, 2, 1), (np.int8(1), 3, 2))
