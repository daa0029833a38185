"""Assignment to a slice of several axes."""

import staticpy


@staticpy.jit
def f(x):
    x[1:, None] = 1.0  # error: SPY115
    return x
