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
