"""Functions that call themselves in loops which read an array from around, element by element: the
array has a second one for its cotangents in each call, and what flows to it in the calls is added
up in the order of a tape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([0.7, 1.3, -0.4, 0.9])
ROWS = np.arange(8.0).reshape(4, 2) / 7 + 0.1


def overwritten(x, n):
    def go(k):
        t = 0.0
        for i in range(2):
            t = x[i] if k > 3 else go(k + 1) * x[i]
        return t

    return go(n)


def added_up(x, n):
    def go(k):
        t = x[0] * x[1]
        for i in range(3):
            if k < 3:
                t = t * x[i] + go(k + 1) * x[i + 1]
        return t * x[3]

    return go(n) * x[2] + x.sum()


def read_in_a_loop_around(x, n):
    def go(k):
        return x.sum() if k == 0 else go(k - 1) * (x * x).sum()

    t = 0.0
    for i in range(4):
        t = t * x[i] + go(n) * x[i]
    return t


def read_in_a_loop_inside(x, n):
    def go(k):
        t = 0.1
        for i in range(k):
            t = t * x[i] + x[i + 1]
        return t if k == 0 else go(k - 1) * t

    return go(n) * x.sum() + (x * x).sum()


def handed_on(x, n):
    def go(y, k):
        t = y[0]
        for i in range(k):
            t = t + go(y * 0.5, k - 1) * y[i]
            t = t * x[i]
        return t

    return go(x * x, n) * x[1]


def in_tries(x, n):
    def go(k):
        t = 0.0
        for i in range(2):
            try:
                if k > 2:
                    raise ValueError
                t = t + go(k + 1) * x[i]
            except ValueError:
                t = t * x[k] + x[0] * 2.0
        return t

    return go(n)


PROGRAMS = [
    overwritten,
    added_up,
    read_in_a_loop_around,
    read_in_a_loop_inside,
    handed_on,
    in_tries,
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_gradients(function: Callable[..., Any]) -> None:
    slope = staticpy.grad(staticpy.jit(function))
    for n in range(4):
        expected = staticpy.grad(function)(X, n)
        np.testing.assert_array_equal(slope(X, n), expected)
        out, moved = staticpy.jvp(staticpy.jit(function), (X, n), (np.cos(X), None))
        assert out == function(X, n)
        np.testing.assert_allclose(moved, expected @ np.cos(X), rtol=1e-13)


@pytest.mark.parametrize("function", [overwritten, handed_on])
def test_second_derivatives(function: Callable[..., Any]) -> None:
    slope = staticpy.grad(staticpy.jit(function))
    ahead, behind = slope(X + 1e-6, 2), slope(X - 1e-6, 2)
    rows = staticpy.hvp(staticpy.jit(function), (X, 2), (np.ones(4), None))
    np.testing.assert_allclose(rows, (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-7)


def test_rows() -> None:
    """Rows are views, of which a call may give one: what flows to them is added in another order
    than on a tape.
    """

    def f(x, n):
        def go(k):
            t = x[0]
            for i in range(2):
                t = t * x[i] if k > 2 else go(k + 1) * x[i] + t
            return t

        return go(n).sum()

    for n in range(4):
        expected = staticpy.grad(f)(ROWS, n)
        found = staticpy.grad(staticpy.jit(f))(ROWS, n)
        np.testing.assert_allclose(found, expected, rtol=1e-14)
