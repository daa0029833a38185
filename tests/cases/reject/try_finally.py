"""`finally`."""

import staticpy


@staticpy.jit
def f(x):
    try:  # error: SPY105
        y = 1 / x
    finally:
        z = x
    return y + z
