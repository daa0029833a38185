"""Programs that call themselves as often as their arguments say; see ``programs``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

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
