"""What a loop saves for its way back: read in the source of the gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import staticpy


def logistic(x: float, n: int) -> float:
    for _ in range(n):
        x = 3.1 * x * (1.0 - x)
    return x


def newton(x: float, n: int) -> float:
    guess = x
    for _ in range(n):
        guess = (guess + x / guess) / 2.0
    return guess


def powers(x: float, n: int) -> float:
    total = 0.0
    for _ in range(n):
        y = x * x
        z = y * x
        x = z * y + 0.5 * x
        total = total + x * y
    return total


def by_while(x: float, n: int) -> float:
    while n > 0:
        x = x * (0.5 + x)
        n -= 1
    return x


@pytest.mark.parametrize(
    ("function", "saved"), [(logistic, 1), (newton, 1), (powers, 2), (by_while, 1)]
)
def test_floats_are_computed_again(function: Callable[..., Any], saved: int) -> None:
    """One operation takes less time than an append and a read."""
    slope = staticpy.grad(staticpy.jit(function))
    assert slope.lower(0.7, 3).compile().source.count(".append(") == saved
    assert slope(0.7, 3) == staticpy.grad(function)(0.7, 3)
    twice = staticpy.grad(slope)(0.7, 3), staticpy.grad(staticpy.grad(function))(0.7, 3)
    assert twice[0] == pytest.approx(twice[1], rel=1e-13)
