"""A class in a function."""

import staticpy


@staticpy.jit
def f(x):
    class Pair:  # error: SPY104
        a = 1

    return x
