"""A declaration without a value."""

import staticpy


@staticpy.jit
def f(x):
    y: float  # error: SPY114
    y = 2.0
    return x * y
