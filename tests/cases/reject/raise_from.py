"""`raise … from`."""

import staticpy


@staticpy.jit
def f(x):
    if x.ndim > 1:
        raise ValueError("a vector") from None  # error: SPY106
    return x
