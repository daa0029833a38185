"""A function that is passed to `jit`."""

import staticpy


def f(x):
    del x  # error: SPY101
    return x


run = staticpy.jit(f)
