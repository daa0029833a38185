"""An item as loop variable."""

import staticpy


@staticpy.jit
def f(x):
    y = [0, 0]
    for y[0] in range(3):  # error: SPY115
        x = x + 1
    return x
