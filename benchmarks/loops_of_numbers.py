"""Loops over Python's floats, of which gradients are taken: little else is in a round."""

from __future__ import annotations

import numpy as np


def logistic_map(x: float, n: int) -> float:
    """A number that each round multiplies: its rule reads what it was."""
    for _ in range(n):
        x = 3.1 * x * (1.0 - x)
    return x


def newton(x: float, n: int) -> float:
    """The square root by Newton: ``guess`` begins as ``x``, which each round reads too."""
    guess = x
    for _ in range(n):
        guess = 0.5 * (guess + x / guess)
    return guess


def newton_by_while(x: float, n: int) -> float:
    """The same with a count of its own."""
    guess = x
    left = n
    while left > 0:
        guess = 0.5 * (guess + x / guess)
        left -= 1
    return guess


def newton_with_break(x: float, n: int) -> float:
    """The same, left from the middle."""
    guess = x
    for i in range(10 * n):
        if i >= n:
            break
        guess = 0.5 * (guess + x / guess)
    return guess


def nested_newton(x: float, n: int) -> float:
    """The same in two loops, the inner one of ten rounds."""
    guess = x
    for _ in range(n // 10):
        for _ in range(10):
            guess = 0.5 * (guess + x / guess)
    return guess


def newton_in_three_loops(x: float, n: int) -> float:
    """The same in three loops, two of them of ten rounds."""
    guess = x
    for _ in range(n // 100):
        for _ in range(10):
            for _ in range(10):
                guess = 0.5 * (guess + x / guess)
    return guess


def mean_of_two(x: float, n: int) -> float:
    """Two numbers, each of which reads what the other was, and which change slowly: else their
    cotangents would become so small that the processor takes many times as long for them.
    """
    a = x
    b = 0.5
    for _ in range(n):
        a, b = a + 1e-4 * (b - a), b + 1e-4 * (x / a - b)
    return a + b


def lorenz(x: float, n: int) -> float:
    """Three numbers that are coupled."""
    a = 1.0
    b = 0.2
    c = x
    for _ in range(n):
        a, b, c = a + 0.1 * (b - a), b + 0.01 * (a * (x - c) - b), c + 0.01 * (a * b - 2.0 * c)
    return a + b + c


def by_cases(x: float, n: int) -> float:
    """What a round does depends on the number."""
    y = x
    for _ in range(n):
        y = 0.5 * y * x if y > 1.0 else y * 1.5 + x
    return y


def two_formulas(x: float, n: int) -> float:
    """What a round does depends on its number."""
    y = x
    for i in range(n):
        y = y * x + 0.1 if i % 2 == 0 else 0.5 * (y + 1.0 / (1.0 + y))
    return y


def left_early(x: float, n: int) -> float:
    """A loop that might return."""
    y = x
    for _ in range(n):
        y = y + 0.0001 * x / y
        if y > 1e9:
            return 2.0 * y
    return y


def powers(x: float, n: int) -> float:
    """A single product in each round."""
    y = x
    for _ in range(n):
        y = y * x
    return y


def sum_of_sines(x: float, n: int) -> float:
    """A function of NumPy, of one number at a time."""
    total = 0.0
    for i in range(n):
        total = total + np.sin(x * i)
    return total


def decay(x: float, n: int) -> float:
    """A function of NumPy of what the round before has made."""
    y = x
    for _ in range(n):
        y = y + 0.01 * np.exp(-y)
    return y


PROGRAMS = {
    "x = 3.1 * x * (1 - x)": (logistic_map, 0.3),
    "Newton's square root": (newton, 0.3),
    "the same by while": (newton_by_while, 0.3),
    "the same with break": (newton_with_break, 0.3),
    "the same in two loops": (nested_newton, 0.3),
    "the same in three loops": (newton_in_three_loops, 0.3),
    "two numbers": (mean_of_two, 0.3),
    "three numbers": (lorenz, 0.3),
    "... if y > 1 else ...": (by_cases, 0.3),
    "... if i % 2 == 0 else ...": (two_formulas, 0.3),
    "if y > 1e9: return": (left_early, 0.3),
    "y = y * x": (powers, 0.999),
    "sum of np.sin(x * i)": (sum_of_sines, 0.3),
    "y = y + 0.01 * np.exp(-y)": (decay, 0.3),
}
"""Each with a number to begin with."""
