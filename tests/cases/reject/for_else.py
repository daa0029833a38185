"""`else` of a `for`."""

import staticpy


@staticpy.jit
def f(x):
    for i in range(3):
        if i > 5:
            break
    else:  # error: SPY113
        x = x + 1
    return x
