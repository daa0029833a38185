"""An assignment to a variable of the module."""

import staticpy


count = 0


@staticpy.jit
def f(x):
    global count
    count = count + 1  # error: SPY108
    return x
