"""The functions that are measured, as plain Python and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def line(w, x, b):
    """Two NumPy calls."""
    return w * x + b


def gate(x, w, b):
    """Five NumPy calls."""
    z = x @ w + b
    return np.tanh(z) * (1 - z)


def newton(number, tolerance):
    """A loop over Python floats."""
    guess = number / 2 + 0.5
    while abs(guess * guess - number) > tolerance * number:
        guess = (guess + number / guess) / 2
    return guess


def collatz(limit):
    """Loops over Python ints, with branches."""
    longest = 0
    for start in range(1, limit):
        n, steps = start, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        longest = max(longest, steps)
    return longest


def mandelbrot(rows, columns, limit):
    """Nested loops over Python floats, with ``break``."""
    inside = 0
    for row in range(rows):
        for column in range(columns):
            a, b = -2.0 + 2.75 * column / columns, -1.25 + 2.5 * row / rows
            x, y = 0.0, 0.0
            count = 0
            for _ in range(limit):
                x, y = x * x - y * y + a, 2.0 * x * y + b
                if x * x + y * y > 4.0:
                    break
                count += 1
            if count == limit:
                inside += 1
    return inside


def running_maximum(x):
    """A loop over the elements of an array."""
    best = x[0]
    total = np.float64(0.0)
    for value in x:
        best = np.maximum(best, value)
        total = total + best
    return total


def primes(limit):
    """A list that grows, read while it does."""
    found = []
    for number in range(2, limit):
        is_prime = True
        for divisor in found:
            if divisor * divisor > number:
                break
            if number % divisor == 0:
                is_prime = False
                break
        if is_prime:
            found.append(number)
    return found


class Walker:
    """A plain class with state."""

    def __init__(self, position, speed):
        self.position = position
        self.speed = speed

    def step(self, pull, dt):
        """One step of an oscillator."""
        self.speed -= pull * self.position * dt
        self.position += self.speed * dt

    @property
    def energy(self):
        """Of motion and of position."""
        return (self.speed**2 + self.position**2) / 2


def walk(steps, dt):
    """Method calls, attributes read and written in a loop."""
    walker = Walker(1.0, 0.0)
    highest = 0.0
    for _ in range(steps):
        walker.step(1.0, dt)
        highest = max(highest, walker.energy)
    return walker.position, highest


def heat(grid, steps):
    """Stores to a slice of an array, in place."""
    for _ in range(steps):
        grid[1:-1] += 0.25 * (grid[:-2] - 2 * grid[1:-1] + grid[2:])
    return grid


def fibonacci(n):
    """Recursion to a depth that the running program finds."""
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def safe_ratios(numbers):
    """An exception that is caught in a loop."""
    total = 0.0
    failed = 0
    for number in numbers:
        try:
            total += 1 / number
        except ZeroDivisionError:
            failed += 1
    return total, failed


RNG = np.random.default_rng(0)
SMALL = RNG.normal(size=8)

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "w * x + b, 8 elements": (line, (SMALL, SMALL + 1, SMALL - 1)),
    "gated layer, 8 units": (gate, (SMALL, RNG.normal(size=(8, 8)), SMALL)),
}
"""Small graphs, of which the overhead of a call is measured."""

LOOPS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "Newton's method": (newton, (2.0, 1e-14)),
    "Collatz sequences": (collatz, (300,)),
    "Mandelbrot set": (mandelbrot, (12, 24, 40)),
    "elements of an array": (running_maximum, (RNG.normal(size=1000),)),
    "primes in a list that grows": (primes, (1500,)),
    "an object with state": (walk, (1000, 0.01)),
    "stores to a slice": (heat, (RNG.normal(size=64), 100)),
    "recursion": (fibonacci, (14,)),
    "exceptions that are caught": (safe_ratios, ([1, 2, 0, 4, 5] * 100,)),
}
"""Loops, over numbers and over what Python keeps in memory."""
