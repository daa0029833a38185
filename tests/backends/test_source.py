"""Golden tests: the source of typical functions, as a person would read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.arange(4.0)
M = np.arange(12.0).reshape(4, 3)

GOLDEN: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = []


def source(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Note that the decorated function, called with ``args``, has the source in its docstring."""

    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        lines = (function.__doc__ or "").strip("\n").splitlines()
        text = "\n".join(line[4:] for line in lines).rstrip() + "\n"
        GOLDEN.append((function, args, text))
        return function

    return note


@source(1, 5)
def counters(first, second):
    while first < second:
        first += 2
        second += 1
    return first


@source(X, X)
def product(w, x):
    y = (w + x) * (w + 1)
    return y


@source(X, X, X)
def line(w, x, b):
    y = w * x + b
    return y


@source(M, M.T.copy(), X)
def layer(x, w, b):
    h = np.maximum(x @ w + b, 0)
    return h, np.tanh(h).sum(axis=0)


@source(2.0, 1e-9)
def newton(x, tolerance):
    while abs(x * x - 2.0) > tolerance:
        x = x - (x * x - 2.0) / (2.0 * x)
    return x


@source(10)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@source(0.1, 0.2, 50)
def escape(cr, ci, limit):
    zr = zi = 0.0
    for i in range(limit):
        if zr * zr + zi * zi > 4.0:
            return i
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    return limit


@source(X, 4.0)
def search(x, wanted):
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] == wanted:
            return middle
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return -1


@source(100)
def odd_numbers(limit):
    total = 0
    for i in range(limit):
        if i % 2 == 0:
            continue
        if i > 30:
            break
        total = total + i
    return total


@source(30)
def stopping(n):
    steps = 0
    while n > 1:
        steps = steps + 1
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
            if n > 1000:
                break
    return n, steps


@source(1, 2, 3)
def logic(a, b, c):
    return a < b < c, a or 4, a and b and c, not a, a if b > c else c


@source(M)
def shapes(x):
    n, k = x.shape
    return x.reshape(n * k), x.T, x[1:, None], x[0, -1], x.astype(np.float32), np.zeros((k, n))


@source(np.float32(2), np.float32(3), 2.0)
def scalars(x, y, z):
    return x * z, np.add(x, y), z + np.sqrt(z), np.where(x > y, x, 0.5)


@source(X, 3)
def branches(x, n):
    y = x
    if n > 2:
        y = x * 2.0
    elif n > 1:
        y = x + 1.0
    return y - x


@source(np.ones((5, 4)), np.ones((4, 4)), np.zeros(4))
def recurrent(xs, w, h):
    for x in xs:
        h = np.tanh(h @ w + x)
    return h


@source(X, 2.0)
def checked(x, limit):
    assert limit > 0, "the limit must be positive"
    if limit > 100:
        raise ValueError("too large", limit)
    return np.minimum(x, limit)


@source(5, 3)
def keywords(sum, lambda_):
    np = 1
    for i in range(sum):
        np = np * lambda_ + i
    max = np + sum
    return max, np


@source(X)
def captured(x):
    def square(v):
        return v * v

    return square(x) + square(x + 1.0)


@source(np.array([3, 1, 2]), np.uint8(2))
def integers(x, n):
    return x // 2 + n, x % n, -x, ~x, x << 1, x == 2


@pytest.mark.parametrize(("function", "args", "text"), GOLDEN, ids=lambda item: getattr(item, "__name__", None))
def test_source(function: Callable[..., Any], args: tuple[Any, ...], text: str) -> None:
    assert staticpy.jit(function).lower(*args).compile().source == text
