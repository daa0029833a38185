"""An undefined name in a nested function."""

import staticpy


@staticpy.jit
def f(x):
    def g(y):
        return y + missing  # error: SPY301

    return g(x)
