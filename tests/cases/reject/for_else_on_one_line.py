"""`else` with its statement on the same line."""

import staticpy


@staticpy.jit
def f(x):
    for i in range(3): x = x + i
    else: x = x - 1  # error: SPY113
    return x
