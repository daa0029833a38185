"""`raise` alone."""

import staticpy


@staticpy.jit
def f(x):
    raise  # error: SPY106
