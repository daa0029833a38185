"""`raise` of an exception."""

import staticpy


@staticpy.jit
def f(x):
    if x.ndim > 1:
        raise ValueError("a vector is needed")  # error: SPY106
    return x
