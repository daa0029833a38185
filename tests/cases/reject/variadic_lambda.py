"""`*args` of a lambda."""

import staticpy


@staticpy.jit
def f(x):
    g = lambda *parts: parts[0]  # error: SPY117
    return g(x)
