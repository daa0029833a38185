"""An undefined name in a lambda."""

import staticpy


@staticpy.jit
def f(x):
    g = lambda y: y + missing  # error: SPY301
    return g(x)
