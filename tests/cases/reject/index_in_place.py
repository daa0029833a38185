"""An item changed in place."""

import staticpy


@staticpy.jit
def f(x):
    x[0] += 1.0  # error: SPY115
    return x
