"""An undefined name in the default of a nested function."""

import staticpy


@staticpy.jit
def f(x):
    def g(y, n=missing):  # error: SPY301
        return y + n

    return g(x)
