"""`:=` in a condition."""

import staticpy


@staticpy.jit
def f(x):
    if (n := x.ndim) > 1:  # error: SPY203
        return x + n
    return x
