"""`del` of a name."""

import staticpy


@staticpy.jit
def f(x):
    y = x + 1
    del y  # error: SPY101
    return x
