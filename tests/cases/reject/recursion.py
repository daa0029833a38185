"""A recursion whose argument grows with each call."""

import staticpy


@staticpy.jit
def f(x: float, n: int, found: tuple[float] = (1.0,)):
    if n == 0:
        return sum(found)
    return f(x, n - 1, (*found, x))  # error: SPY405
