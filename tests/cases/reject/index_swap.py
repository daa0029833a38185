"""Items swapped: one error for each."""

import staticpy


@staticpy.jit
def f(x):
    x[0], x[1] = x[1], x[0]  # error: SPY115, SPY115
    return x
