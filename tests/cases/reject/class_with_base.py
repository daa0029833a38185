"""A class with a base and a keyword."""

import staticpy


@staticpy.jit
def f(x):
    class Pair(tuple, metaclass=type):  # error: SPY104
        pass

    return x
