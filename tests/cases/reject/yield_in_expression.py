"""`yield` as an expression."""

import staticpy


@staticpy.jit
def f(x):
    y = (yield x)  # error: SPY202
    return y
