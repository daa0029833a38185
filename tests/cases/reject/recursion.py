"""A recursion whose argument grows with each call."""

import staticpy


def grow(x, n, found):
    if n == 0:
        return sum(found)
    return grow(x, n - 1, (*found, x))  # error: SPY405


@staticpy.jit
def f(x: float, n: int):
    return grow(x, n, (1.0,))
