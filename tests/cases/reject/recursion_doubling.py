"""A recursion whose argument has twice as many parts with each call."""

import staticpy


def grow(x, n):
    if n == 0:
        return x
    return grow((x, x), n - 1)  # error: SPY405


@staticpy.jit
def f(x: float, n: int):
    return grow(x, n)
