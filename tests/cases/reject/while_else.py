"""`else` of a `while`."""

import staticpy


@staticpy.jit
def f(x):
    n = 0
    while n < 3:
        n = n + 1
    else:  # error: SPY113
        n = 10
    return x + n
