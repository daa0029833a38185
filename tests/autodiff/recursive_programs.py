"""Programs that call themselves as often as their arguments say; see ``programs``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import staticpy
from tests.autodiff.programs import X

RECURSIVE: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []


def recursive(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        RECURSIVE.extend((function, args) for args in calls)
        return function

    return enter


@recursive((1.3, 0), (1.3, 1), (1.3, 4))
def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


@recursive((1.3, 0), (1.3, 1), (1.3, 5))
def two_calls(x, n):
    if n == 0:
        return x * 0.5
    if n == 1:
        return math.sin(x)
    a = two_calls(x * 1.1, n - 1)
    return a * two_calls(x, n - 2) + a


@recursive((X, 0), (X, 1), (X, 3))
def arrays_by_recursion(x, n):
    def go(y, k):
        if k == 0:
            return y * x
        return np.sin(go(y * 1.1, k - 1)) * y

    return go(x * 2, n).sum()


@recursive((X, 0), (X, 2))
def elements_by_recursion(x, n):
    def total(i):
        if i >= len(x) - n:
            return x[0] * 1.0
        return x[i] * x[i] + total(i + 1) * x[1]

    return total(0)


@recursive((1.3, 0), (1.3, 1), (1.3, 4), (1.3, 5))
def mutual_recursion(x, n):
    def even(y, k):
        return y * x if k == 0 else odd(y * 1.1, k - 1) * y

    def odd(y, k):
        return math.sin(y) if k == 0 else even(y * y, k - 1) + y

    return even(x, n)


@recursive((1.3, 3), (1.3, 0))
def recursion_in_loops(x, n):
    def go(y, k):
        s = y
        for i in range(k):
            s = s + go(y * 0.9, k - 1 - i) * math.cos(s)
            if i == 1:
                s = s * x
        return s

    total = 0.0
    for j in range(n + 1):
        total = total + go(x * j, j)
    return total


@recursive((1.3, 3), (1.3, 0))
def two_results(x, n):
    def go(a, b, k):
        if k == 0:
            return a * b, b
        c, d = go(a * b, b + a, k - 1)
        return c * math.sin(d), d * a

    a, b = go(x, 2.0, n)
    return a + b


@recursive((X, 3), (X, 0))
def scratch_in_recursion(x, n):
    def go(y, k):
        z = np.zeros(4)
        z[1:] = y[:-1] * 2
        z[0] = y[k]
        if k == 0:
            return z
        return go(z * y, k - 1) * z

    return go(x, n).sum()


@recursive((X, 3), (X, 0))
def recursion_that_writes(x, n):
    def go(y, k):
        if k:
            y[k] = y[k - 1] * y[k]
            go(y, k - 1)
            y[0] = y[0] * x[k]

    y = x * 1.0
    go(y, n)
    return (y * x).sum()


@recursive((X, 3), (X, 0))
def recursion_that_rebinds(x, n):
    total = 0.0

    def go(y, k):
        nonlocal total
        total = total + y * y
        if k:
            go(y * x[k], k - 1)
            go(y * 0.5, k - 2 if k > 1 else 0)

    go(x[0], n)
    return total


@recursive((1.3, 0), (1.3, 6))
def tail_recursion(x, n):
    def go(acc, k):
        if k == 0:
            return acc
        return go(acc * x + 1.0, k - 1)

    return go(1.0, n)


@recursive((X, 3), (X, 0))
def recursion_in_two_places(x, n):
    def go(a, b, k):
        return a * b if k == 0 else np.sin(go(b, a * 1.1, k - 1)) * a

    u = go(x, 2.0 * x, n).sum() + go(2.0, x[0], n)
    for i in range(2):
        u = u + go(x[i], 3.0, i) * go(u, x[i], n)
    return u


@recursive((1.3, 3), (1.3, 0))
def a_try_in_recursion(x, n):
    def go(a, k):
        try:
            b = a / (k - 1)
        except ZeroDivisionError:
            b = a * a
        return b if k == 0 else go(b * 1.1, k - 1) * b

    return go(x, n)


@recursive((X, 3), (X, 0))
def loops_in_recursion(x, n):
    def go(a, k):
        t = a.copy()
        for i in range(k + 1):
            t[i:] = np.sin(t[i:]) * a[0]
            w = 0
            while t[0] > 0.5 and w < 3:
                t = t * 0.9
                w += 1
        return t if k == 0 else go(t * a, k - 1) * t

    return go(x, n).sum()


@recursive((X, 3), (X, 0))
def arrays_written_to_after_recursion(x, n):
    w = np.ones(4) * 2

    def go(a, k):
        return (a * w).sum() if k == 0 else go(np.sin(a * w), k - 1) * a[k] * w[k]

    y = x * 1.5
    s = go(y, n)
    w[:] = 7.0
    y[:] = 3 * x
    return s + go(y, n) * s


@recursive((X, 3), (X, 0))
def elements_of_what_recursion_gives(x, n):
    def go(a, k):
        return a * 2 if k == 0 else go(np.sin(a), k - 1) * a

    r = go(x, n)
    s = 0.0
    for i in range(4):
        s = s + r[i] * r[i] * x[i]
    return s


@recursive((1.3, 3), (1.3, 0))
def recursion_in_a_checkpoint(x, n):
    def go(a, k):
        return math.sin(a) if k == 0 else go(a * 0.5, k - 1) * a

    return staticpy.checkpoint(lambda v: go(v * v, n) * v)(x)


@recursive((1.3, 3), (1.3, 0))
def complex_recursion(x, n):
    def go(a, k):
        return a * (1 + 2j) if k == 0 else go(a * a, k - 1) * a * 1j

    return abs(go(x + 0.3j, n))


@recursive((X, 3), (X, 0))
def halves_by_recursion(x, n):
    def go(lo, hi):
        if hi - lo <= 1:
            return x[lo] * x[lo]
        mid = (lo + hi) // 2
        left = go(lo, mid)
        return left * go(mid, hi) + np.tanh(left)

    return go(0, len(x)) + n


# --- arrays and containers that recursion takes and gives -----------------------------------------


@recursive((X, 3), (X, 0))
def written_to_where_it_is_got(x, n):
    def go(a, k):
        return a + 1.0 if k == 0 else go(a, k - 1)

    y = x * 2
    r = go(y, n)
    r[0] = 5.0 * x[1]
    z = go(y, n)
    y[1] = 3.0 * x[0]
    return (r * y * z).sum() * y[0]


@recursive((X, 3), (X, 1))
def its_own_argument_or_another_one(x, n):
    def go(a, b, k):
        if k == 0:
            return a[1:] if a[0] > b[0] else b[:-1]
        r = go(b, a, k - 1)
        r[k - 1] = r[k - 1] * a[k]
        return r

    y, z = x * 2, x + 1
    r = go(y, z, n)
    r[0] = 5.0 * x[1] * r[1]
    return (r * y[1:] * z[1:]).sum() * y[1]


@recursive((X, 3), (X, 0))
def a_number_and_what_is_written_to(x, n):
    def go(k):
        if k == 0:
            return x[0] * 2, (x * 1.5, 1.0)
        a, (b, c) = go(k - 1)
        b[k] = a * c
        return a * b[0], (b, c * x[1])

    a, (b, c) = go(n)
    b[0] = a * 2
    return a * b.sum() * c


@recursive((X, 3), (X, 0))
def results_that_are_kept(x, n):
    memo = {0: x[2] * 1.0}

    def go(k):
        if k not in memo:
            memo[k] = go(k - 1) * x[0] + go(k // 2) * np.sin(x[1])
        return memo[k]

    return go(n + 2) + memo[0] * 2


@recursive((X, 3), (X, 0))
def arrays_that_are_kept(x, n):
    memo = {0: x * 2.0}

    def go(k):
        if k not in memo:
            memo[k] = np.sin(go(k - 1)) * x + go(k // 2)
        return memo[k]

    r = go(n)
    r[0] = r[1] * x[2]
    return (go(n) * x).sum() + memo[0][0]


@recursive((X, 3), (X, 0))
def lists_that_are_read(x, n):
    weights = [x * 2, np.sin(x), x * x, x + 1]
    numbers = [x[0] * 2, x[1] * x[2], np.sin(x[3]), x[0]]

    def go(a, k):
        if k == 0:
            return a * weights[k] * numbers[1]
        return go(a * weights[k], k - 1) + weights[k - 1] * numbers[k]

    return go(x, n).sum()


@recursive((X, 3), (X, 0))
def a_list_that_is_given(x, n):
    def go(k):
        if k == 0:
            return [x * 2]
        rows = go(k - 1)
        rows.append(rows[-1] * x + rows[0])
        rows[0][k] = x[0] * rows[-1][1]
        return rows

    rows = go(n)
    rows[0] = rows[0] * rows[-1]
    total = 0.0
    for row in rows:
        total = total + (row * row).sum()
    return total


@recursive((X, 3), (X, 0))
def a_list_that_grows_at_both_ends(x, n):
    out = [x[0]]

    def go(k):
        out.insert(0, out[-1] * x[k])
        if k:
            go(k - 1)
            out.append(out[0] * out[1])

    go(n)
    total = 1.0
    for value in out:
        total = total * value + value
    return total


@recursive((X, 3), (X, 0))
def lists_in_a_dict(x, n):
    found = {}

    def go(low, high):
        if high - low <= 1:
            found.setdefault(low % 2, []).append(x[low] * x[low])
            return
        go(low, (low + high) // 2)
        go((low + high) // 2, high)

    go(0, n + 1)
    total = 0.0
    for k, values in found.items():
        for value in values:
            total = total * 0.5 + value * x[k]
    return total


class Sums:
    def __init__(self, value):
        self.value = value
        self.items = []


@recursive((X, 3), (X, 0))
def an_object_that_recursion_changes(x, n):
    sums = Sums(x[0] * 2)

    def go(k):
        sums.value = sums.value * x[k] + 1
        sums.items.append(sums.value)
        if k:
            go(k - 1)

    go(n)
    return sums.value * sum(sums.items)


class Node:
    def __init__(self, value, following):
        self.value = value
        self.following = following


@recursive((X, 3), (X, 0))
def linked_objects(x, n):
    node = None
    for i in range(n + 1):
        node = Node(x[i] * x[0], node)

    def total(node):
        if node is None:
            return 0.0
        return node.value * 1.5 + total(node.following) * node.value

    return total(node)


@recursive((X, 3), (X, 1))
def arrays_got_in_tries(x, n):
    def go(a, k):
        return a + 1.0 if k == 0 else go(a, k - 1) * x

    y = x * 2
    total = 0.0
    for i in range(n):
        try:
            r = go(y, n)
            r[0] = x[i] * 2
            y[1] = r[i + 2]
            r *= r[0]
            total = total + r[1]
        except IndexError:
            total = total * y[1]
    return total * y.sum() + y[0]


@recursive((X, 3), (X, 0))
def functions_that_hand_arrays_on(x, n):
    def left(a, k):
        if k == 0:
            return a
        r = right(a, k - 1)
        r[0] = r[1] * x[k]
        return r

    def right(a, k):
        r = a * 1.0 if k == 0 else left(a * x, k - 1)
        r[1] += x[0]
        return r

    y = x * 2
    r = left(y, n)
    r[2] = x[1]
    return (r * y).sum()


@recursive((X, 3), (X, 0))
def merged(x, n):
    def in_order(items):
        if len(items) <= 1:
            return items
        middle = len(items) // 2
        left, right = in_order(items[:middle]), in_order(items[middle:])
        out = []
        i = j = 0
        while i < len(left) and j < len(right):
            if left[i] < right[j]:
                out.append(left[i])
                i += 1
            else:
                out.append(right[j])
                j += 1
        out.extend(left[i:])
        out.extend(right[j:])
        return out

    total = 0.0
    for value in in_order([x[0] * 2, x[1], x[2] * 3, x[3]][: n + 1]):
        total = total * 0.5 + value * value
    return total


@recursive((X, 2), (X, 0))
def rows_beside_the_array_that_they_show(x, n):
    y = x * 1.0
    return _stretched(y, np.broadcast_to(y, (2, 4)), n)


def _stretched(y, rows, n):
    if n == 0:
        return (rows * rows).sum()
    y[0] = rows[0, 1] * y[2]
    return (rows * rows).sum() + _stretched(y, rows, n - 1)


@recursive((X, 2), (X, 0))
def rows_of_the_array_that_it_gets(x, n):
    y = x * 1.0
    return _windowed(y, n) * y[0]


def _windowed(y, n):
    seen = np.lib.stride_tricks.sliding_window_view(y, 2)
    rows = np.broadcast_to(y[1:], (2, 3))
    if n > 0:
        y[0] = seen[1, 1] * rows[0, 2]
        y[1:3] *= _windowed(y, n - 1)
    return (seen * seen).sum() + (rows[1] * rows[0]).sum()


@recursive((X, 2), (X, 0))
def rows_of_its_own(x, n):
    y = x * 2
    rows = np.broadcast_to(y, (2, 4))
    y[0] = rows[0, 1] * y[2]
    below = rows_of_its_own(x * x, n - 1) if n > 0 else 0.0
    return (rows * rows).sum() + below
