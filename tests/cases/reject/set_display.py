"""A set."""

import staticpy


@staticpy.jit
def f(x):
    return x, x.ndim in {1, 2}  # error: SPY206
