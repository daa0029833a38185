"""A decorated nested function."""

import staticpy


@staticpy.jit
def f(x):
    @staticpy.jit  # error: SPY118
    def g(y):
        return y + 1

    return g(x)
