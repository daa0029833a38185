"""`*` in a target."""

import staticpy


@staticpy.jit
def f(x):
    first, *rest = x, x, x  # error: SPY207
    return first
