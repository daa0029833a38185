"""A function that is passed to `jit`."""

import staticpy


def f(x):
    class Pair:  # error: SPY104
        pass

    return x


run = staticpy.jit(f)
