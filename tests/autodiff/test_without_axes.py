"""Derivatives by an array without axes, which the first operation on it makes a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy


def in_a_for(b, n):
    for i in range(n):
        b = np.sin(b) if i % 2 else b * 2.0
    return b


def in_a_while(b, n):
    i = 0
    while i < n:
        b = b * b
        i += 1
        if i == 2:
            break
    return b


def in_a_branch(b, n):
    if n > 1:
        b = b * 2.0
    return b


def with_itself(b, n):
    x = b
    for _ in range(n):
        b = b * x + b
    return b


def in_two_loops(b, n):
    for _ in range(n):
        b = -b
    for _ in range(n):
        b = b * b.sum() + 1.0
    return b


def in_calls(b, n):
    def half(b, k):
        return b if k == 0 else half(b * 0.5, k - 1)

    return half(b, n)


def in_a_list(b, n):
    items = []
    for _ in range(n):
        items.append(b)
        b = b * 0.5
    return b + sum(items) * b


PROGRAMS = [
    *(in_a_for, in_a_while, in_a_branch, with_itself, in_two_loops, in_calls, in_a_list),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", PROGRAMS)
def test_gradients(function: Callable[..., Any], dtype: Any) -> None:
    b = np.array(0.7, dtype)

    @staticpy.jit
    def inside(b: Any, n: int) -> Any:
        slope = staticpy.grad(function)
        return slope(b, n)

    for n in range(4):
        expected = staticpy.grad(function)(b, n)
        for form in (staticpy.grad(staticpy.jit(function)), inside):
            found = form(b, n)
            assert type(found) is np.ndarray
            assert (found.shape, found.dtype) == ((), dtype)
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", PROGRAMS)
def test_other_transforms(function: Callable[..., Any]) -> None:
    b = np.array(0.7)
    slope = staticpy.grad(staticpy.jit(function))
    for n in range(4):
        near = (slope(b + 1e-6, n) - slope(b - 1e-6, n)) / 2e-6
        np.testing.assert_allclose(staticpy.grad(slope)(b, n), near, rtol=1e-6, atol=1e-8)
        out, back = staticpy.vjp(staticpy.jit(lambda b, n=n: function(b, n)), b)
        value = function(b, n)
        assert (type(out), out) == (type(value), value)
        np.testing.assert_allclose(back(np.float64(2.0))[0], 2 * slope(b, n), rtol=1e-15)


def test_two_that_change_places() -> None:
    def swapped(b, c, n):
        for _ in range(n):
            b, c = c, b * 0.5
        return b * c

    slope = staticpy.grad(staticpy.jit(swapped), argnums=(0, 1))
    for c in (np.array(0.3), 0.3):
        for n in range(4):
            expected = staticpy.grad(swapped, argnums=(0, 1))(np.array(0.7), c, n)
            assert slope(np.array(0.7), c, n) == expected
