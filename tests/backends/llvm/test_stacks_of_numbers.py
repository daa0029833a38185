"""Lists of numbers of which the last is taken out, that are joined, and that become of several
types: memory of their own.
"""

# ruff: noqa: PERF402, RUF005 - lists that grow and are joined are what this is about

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.support.direct import frames_of, outcome

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def stack(n, x):
    items, total = [], 0
    for i in range(n):
        items.append(i)
        if i % 3 == 2:
            total += items.pop() * items.pop(-1)
    return total, len(items), items


def heap(n, x):
    h, v = [], 12345
    for _ in range(n):
        v = (v * 1103515245 + 12345) % 2147483648
        h.append(v)
        k = len(h) - 1
        while k > 0 and h[(k - 1) // 2] > h[k]:
            h[k], h[(k - 1) // 2] = h[(k - 1) // 2], h[k]
            k = (k - 1) // 2
    found = []
    while len(h) > 1:
        found.append(h[0])
        h[0] = h.pop()
        k = 0
        while 2 * k + 1 < len(h):
            c = 2 * k + 1
            if c + 1 < len(h) and h[c + 1] < h[c]:
                c += 1
            if h[k] <= h[c]:
                break
            h[k], h[c] = h[c], h[k]
            k = c
    return found


def floats_and_numpys(n, x):
    out = [0.0] * (n + len(x))
    for i in range(n):
        for j in range(len(x)):
            out[i + j] += x[j] * i
    return out


def filled_and_cast(n, x):
    out = [n, 2]
    out[0] = 5
    out.append(7)
    for i in range(len(x)):
        out[i % 3] = x[i]
    last = out.pop()
    return out, last


def queue(n, x):
    waiting, total = [n], 0
    while len(waiting) > 0 and total < 50:
        v = waiting.pop(0)
        total += 1
        waiting.append(v // 2)
        if v % 3:
            waiting.append(v - 1)
    return total, waiting


def josephus(n, x):
    people, i = list(range(n + 1)), 0
    while len(people) > 1:
        i = (i + 6) % len(people)
        people.pop(i)
        people.pop(-len(people) if len(people) > 3 else -1)
    return people


def repeated(n, x):
    items = [n, 3, 7]
    for i in range(n):
        if i < 3:
            items.pop(i % 2 - 1)
    return items * 2, len(items)


def joined(n, x):
    first = [1] * n
    second = first + [2, n] + first[:]
    third = second.copy()
    third[0] = 50
    second[-1] += third[0]
    first.append(9)
    return first, second, third


PROGRAMS = [stack, heap, queue, josephus, floats_and_numpys, filled_and_cast, joined]


def details(value):
    if isinstance(value, tuple | list):
        return type(value), [details(each) for each in value]
    return type(value), str(value)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 200])
@pytest.mark.parametrize("function", [*PROGRAMS, repeated])
def test_same_as_cpython(function, n):
    x = np.array([0.5, -0.0, 1e300])
    compiled = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        assert details(compiled(n, x)) == details(function(n, x))


@pytest.mark.parametrize("function", PROGRAMS)
def test_no_python_runs(function):
    compiled, x = staticpy.jit(function, backend="llvm"), np.ones(3)
    for _ in range(2):
        compiled(5, x)
    assert frames_of(compiled, 5, x) == []


def test_an_empty_list_has_no_last_item():
    def take(n, m):
        items, total = [], 0
        for i in range(n):
            items.append(i)
        for _ in range(m):
            total += items.pop()
        return total, items

    compiled = staticpy.jit(take, backend="llvm")
    for n in (0, 1, 3):
        for m in range(5):
            assert outcome(compiled, n, m) == outcome(take, n, m)


def test_any_item_is_taken_out():
    def take(n, i, j):
        items = [0.5] * 2
        for k in range(n):
            items.append(float(k))
        first = items.pop(i)
        return first + items.pop(j), items

    compiled = staticpy.jit(take, backend="llvm")
    for n in (0, 1, 4):
        for i in range(-7, 7):
            for j in range(-7, 7):
                assert outcome(compiled, n, i, j) == outcome(take, n, i, j)


def test_a_list_that_is_read_before_it_is_wide_stays_as_it_is():
    def mixed(x, n):
        out = [1, n]
        total = out[0] + out[1]
        for i in range(n):
            out[i % 2] = x[i]
        return out, total

    x = np.arange(4.0)
    found = staticpy.jit(mixed, backend="llvm")(x, 3)
    assert details(found) == details(mixed(x, 3))
