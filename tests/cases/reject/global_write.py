"""`global`."""

import staticpy


count = 0


@staticpy.jit
def f(x):
    global count  # error: SPY108
    count = count + 1
    return x
