"""A number on one path and a function on the other."""

import staticpy


@staticpy.jit
def f(x: float, n: int):
    y = x
    if n > 0:
        y = lambda z: z + x
    return y  # error: SPY402
