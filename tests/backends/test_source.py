# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: A001, A002, E501, RET504
"""Golden tests: the source of typical functions, as a person would read it."""

from __future__ import annotations

import inspect
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
        GOLDEN.append((function, args, inspect.cleandoc(function.__doc__ or "") + "\n"))
        return function

    return note


@source(1, 5)
def counters(first, second):
    """
    def counters(first, second):
        while first < second:
            first = first + 2
            second = second + 1
        return first
    """

    while first < second:
        first += 2
        second += 1
    return first


@source(X, X)
def product(w, x):
    """
    def product(w, x):
        y = w + x
        y *= w + 1.0
        return y
    """

    y = (w + x) * (w + 1)
    return y


@source(X, X, X)
def line(w, x, b):
    """
    def line(w, x, b):
        y = w * x
        y += b
        return y
    """

    y = w * x + b
    return y


@source(M, M.T.copy(), X)
def layer(x, w, b):
    """
    def layer(x, w, b):
        h = x @ w
        h += b
        np.maximum(h, 0.0, out=h)
        return h, np.sum(np.tanh(h), axis=0)
    """

    h = np.maximum(x @ w + b, 0)
    return h, np.tanh(h).sum(axis=0)


@source(2.0, 1e-9)
def newton(x, tolerance):
    """
    def newton(x, tolerance):
        while abs(x * x - 2.0) > tolerance:
            x = x - (x * x - 2.0) / (2.0 * x)
        return x
    """

    while abs(x * x - 2.0) > tolerance:
        x = x - (x * x - 2.0) / (2.0 * x)
    return x


@source(10)
def fibonacci(n):
    """
    def fibonacci(n):
        a = 0
        b = 1
        for _ in range(n):
            b_1 = a + b
            a = b
            b = b_1
        return a
    """

    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@source(0.1, 0.2, 50)
def escape(cr, ci, limit):
    """
    def escape(cr, ci, limit):
        zr = 0.0
        zi = 0.0
        for i in range(limit):
            t = zr * zr
            t_1 = zi * zi
            if t + t_1 > 4.0:
                return i
            zr_1 = t - t_1 + cr
            zi = 2.0 * zr * zi + ci
            zr = zr_1
        return limit
    """

    zr = zi = 0.0
    for i in range(limit):
        if zr * zr + zi * zi > 4.0:
            return i
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    return limit


@source(X, 4.0)
def search(x, wanted):
    """
    def search(x, wanted):
        high = x.shape[0]
        low = 0
        while low < high:
            middle = (low + high) // 2
            t = x[middle]
            if t == wanted:
                return middle
            if t < wanted:
                low = middle + 1
            else:
                high = middle
        return -1
    """

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
    """
    def odd_numbers(limit):
        total = 0
        for i in range(limit):
            if i % 2 == 0:
                continue
            if i > 30:
                break
            total = total + i
        return total
    """

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
    """
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
    """

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
    """
    def logic(a, b, c):
        t = bool(a)
        return a < b and b < c, a if t else 4, b and c if t else a, not t, a if b > c else c
    """

    return a < b < c, a or 4, a and b and c, not a, a if b > c else c


@source(M)
def shapes(x):
    """
    def shapes(x):
        n = x.shape[0]
        k = x.shape[1]
        return np.reshape(x, (n * k,)), x.T, x[1:, None], x[0, -1], x.astype(np.float32), np.zeros((k, n), np.float64)
    """

    n, k = x.shape
    return x.reshape(n * k), x.T, x[1:, None], x[0, -1], x.astype(np.float32), np.zeros((k, n))


@source(np.float32(2), np.float32(3), 2.0)
def scalars(x, y, z):
    """
    def scalars(x, y, z):
        return x * z, np.add(x, y), z + np.sqrt(z), np.where(x > y, x, 0.5)
    """

    return x * z, np.add(x, y), z + np.sqrt(z), np.where(x > y, x, 0.5)


@source(X, 3)
def branches(x, n):
    """
    def branches(x, n):
        if n > 2:
            y = x * 2.0
        elif n > 1:
            y = x + 1.0
        else:
            y = x
        return y - x
    """

    y = x
    if n > 2:
        y = x * 2.0
    elif n > 1:
        y = x + 1.0
    return y - x


@source(np.ones((5, 4)), np.ones((4, 4)), np.zeros(4))
def recurrent(xs, w, h):
    """
    def recurrent(xs, w, h):
        for i in range(xs.shape[0]):
            x = xs[i]
            h = h @ w
            h += x
            np.tanh(h, out=h)
        return h
    """

    for x in xs:
        h = np.tanh(h @ w + x)
    return h


@source(X, 2.0)
def checked(x, limit):
    """
    def checked(x, limit):
        if not limit > 0:
            raise AssertionError('the limit must be positive')
        return np.minimum(x, limit)
    """

    assert limit > 0, "the limit must be positive"
    return np.minimum(x, limit)


@source(5, 3)
def keywords(sum, lambda_):
    """
    def keywords(sum_, lambda_):
        np_ = 1
        for i in range(sum_):
            np_ = np_ * lambda_ + i
        max_ = np_ + sum_
        return max_, np_
    """

    np = 1
    for i in range(sum):
        np = np * lambda_ + i
    max = np + sum
    return max, np


@source(X)
def captured(x):
    """
    def captured(x):
        t = x * x
        t_1 = x + 1.0
        t_1 *= t_1
        t += t_1
        return t
    """

    def square(v):
        return v * v

    return square(x) + square(x + 1.0)


@source(np.array([3, 1, 2]), np.uint8(2))
def integers(x, n):
    """
    def integers(x, n):
        t = x // 2
        t += n
        return t, x % n, -x, ~x, x << 1, x == 2
    """

    return x // 2 + n, x % n, -x, ~x, x << 1, x == 2


@pytest.mark.parametrize(
    ("function", "args", "text"), GOLDEN, ids=lambda item: getattr(item, "__name__", None)
)
def test_source(function: Callable[..., Any], args: tuple[Any, ...], text: str) -> None:
    assert staticpy.jit(function).lower(*args).compile().source == text
