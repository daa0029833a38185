"""`*` in an index."""

import staticpy


@staticpy.jit
def f(x):
    where = (0, 0)
    return x[*where]  # error: SPY207
