"""A function that is passed to `jit`."""

import staticpy


def f(x):
    x[0] = 1.0  # error: SPY115
    return x


run = staticpy.jit(f)
