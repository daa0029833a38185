"""Lists of numbers that loops and branches hand on, which are vectors."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm.carried_lists import with_carried_lists
from staticpy.ir import parse_module, verify, walk
from staticpy.ops import REGISTRY

# --- vectors --------------------------------------------------------------------------------------


def distance(a, b):
    prev = list(range(len(b) + 1))
    for i in range(len(a)):
        cur = [i + 1] + [0] * len(b)
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            cur[j + 1] = min(prev[j + 1] + 1, cur[j] + 1, prev[j] + cost)
        prev = cur
    return prev


def in_turns(a, b):
    prev, cur = [0] * (len(b) + 1), [0] * (len(b) + 1)
    for i in range(len(a)):
        for j in range(len(b)):
            cur[j + 1] = prev[j] + 1 if a[i] == b[j] else max(prev[j + 1], cur[j])
        prev, cur = cur, prev
    return prev, len(cur)


def heat(a, b):
    u = [float(v) for v in a]
    for _ in range(5):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u = new
    return u


def smoothed(a, b):
    u = [0.5] * len(a)
    for step in range(6):
        old = u[:]
        for i in range(len(u)):
            u[i] = 0.5 * (old[i] + old[i - 1]) + int(a[i])
        if step % 2:
            u = old
    return u


def rule_110(a, b):
    cells = [bool(v % 2) for v in a]
    for _ in range(4):
        after = [False] * len(cells)
        for i in range(len(cells)):
            after[i] = cells[i] != cells[i - 1] or (cells[i - 2] and not cells[i])
        cells = after
    return cells, sum(1 for i in range(len(cells)) if cells[i])


def until(a, b):
    row, n = [1] * len(a), 0
    while row[0] < 100 and n < 20:
        following = [1] * len(row)
        for i in range(1, len(row)):
            following[i] = row[i] + row[i - 1]
        following[0] = row[-1]
        row, n = following, n + 1
    return row, n


def one_of_two(a, b):
    if len(a) > len(b):
        x = [0] * len(a)
        x[0] = int(a[0])
    else:
        x = [7] * len(b)
    x[-1] = 5
    return x


VECTORS = [distance, in_turns, heat, smoothed, rule_110, until, one_of_two]

# --- what stays a list ----------------------------------------------------------------------------


def kept_and_changed(a, b):
    best = [0] * len(a)
    for i in range(len(a)):
        cur = [int(a[i])] * len(a)
        if i % 2 == 0:
            best = cur
        cur[0] = 99
    return best


def both_returned(a, b):
    x, y = [0] * len(a), [1] * len(a)
    for i in range(len(a)):
        if a[i] % 2:
            x = y
        x[0] += 1
    return x, y, x is y


def grown(a, b):
    x = [0]
    for i in range(len(a)):
        if a[i] % 2:
            x = [i]
        x.append(i)
    return x


def made_outside(a, b):
    first = [1] * len(a)
    x = [0] * len(a)
    for i in range(len(a)):
        x = first
        x[i] += i
    return x, first


LISTS = [kept_and_changed, both_returned, grown, made_outside]

ARGUMENTS = [
    (np.array([1, 2, 3, 1, 2, 7]), np.array([2, 1, 3, 2, 5])),
    (np.array([5, 4, 3, 2]), np.array([3, 3, 3, 0, 1, 2, 0])),
    ([1, 2, 3, 1], [3, 1]),
    (np.array([7, 0], np.int8), np.array([4], int)),
]


def details(value):
    """A result with the types of all numbers, and which lists are the same."""
    if isinstance(value, tuple):
        same = [[each is other for other in value] for each in value if isinstance(each, list)]
        return tuple(map(details, value)), same
    return [list, *map(details, value)] if isinstance(value, list) else (type(value), str(value))


def outcome(call, *arguments):
    try:
        return details(call(*arguments))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=repr)
@pytest.mark.parametrize("program", VECTORS + LISTS)
def test_it_is_what_python_gives(program, arguments):
    compiled = staticpy.jit(program, backend="llvm")
    for _ in range(2):
        assert details(compiled(*arguments)) == details(program(*arguments))


def _handed_on(program, arguments):
    """How many lists control flow gives, of the module as it is, and with vectors."""
    text = str(staticpy.jit(program).lower(*arguments).optimized_ir)
    module = parse_module(text, REGISTRY)
    for each in (module, with_carried_lists(module)):
        verify(each)
        results = (r for o in walk(each.main.block) if o.regions for r in o.results)
        yield sum(str(result.type).startswith("list[") for result in results)


@pytest.mark.parametrize("program", VECTORS)
def test_lists_that_are_handed_on_are_vectors(program):
    before, after = _handed_on(program, ARGUMENTS[0])
    assert before > after == 0


@pytest.mark.parametrize("program", LISTS)
def test_what_more_is_done_with_stays_a_list(program):
    before, after = _handed_on(program, ARGUMENTS[0])
    assert before == after > 0


def test_indexes_are_those_of_the_list():
    def pick(n, i, j, x):
        one, two = [1] * n, [2] * n
        for k in range(n):
            one, two = two, one
            x[k] = one[i] * 10
            two[j] = k
        return one, x[0]

    compiled = staticpy.jit(pick, backend="llvm")
    for n in (0, 1, 3):
        for i in range(-4, 4):
            for j in range(-4, 4):
                one, other = np.zeros(4), np.zeros(4)
                found = outcome(compiled, n, i, j, one)
                assert found == outcome(pick, n, i, j, other), (n, i, j)
                assert one.tolist() == other.tolist()


def test_an_int_may_leave_64_bits():
    def powers(n):
        row = [1] * 3
        for _ in range(n):
            after = [0] * 3
            for i in range(3):
                after[i] = 3 * row[i - 1] + i
            row = after
        return row

    compiled = staticpy.jit(powers, backend="llvm")
    for n in (3, 38, 45, 3):
        assert compiled(n) == powers(n)


def test_derivatives_go_through_them():
    def smoothed(x):
        u = [x[0] * 0.5] * 4
        for i in range(3):
            new = [x[i] * x[i]] * 4
            for k in range(1, 4):
                new[k] = 0.5 * (u[k] + u[k - 1]) * x[i]
            u = new
        return u[3] + u[1] * u[2]

    x = np.array([0.5, -1.5, 2.0])
    found = staticpy.jit(staticpy.grad(smoothed), backend="llvm")(x)
    assert np.array_equal(found, staticpy.grad(smoothed)(x))


def test_no_memory_is_kept():
    compiled = staticpy.jit(distance, backend="llvm")
    for size in (10, 200, 3000):
        a, b = np.arange(size) % 7, np.arange(50) % 5
        assert compiled(a, b) == distance(a, b)
