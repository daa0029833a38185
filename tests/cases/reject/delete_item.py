"""`del` of an item."""

import staticpy


@staticpy.jit
def f(x):
    parts = [x, x]
    del parts[0]  # error: SPY101
    return parts[0]
