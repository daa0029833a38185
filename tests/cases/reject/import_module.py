"""An import."""

import staticpy


@staticpy.jit
def f(x):
    import math  # error: SPY110
    return x * math.pi
