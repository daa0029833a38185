"""An exception group handler."""

import staticpy


@staticpy.jit
def f(x):
    try:  # error: SPY105
        y = 1 / x
    except* ZeroDivisionError:
        y = x
    return y
