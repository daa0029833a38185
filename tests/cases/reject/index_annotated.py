"""An item with an annotation."""

import staticpy


@staticpy.jit
def f(x):
    x[0]: float = 1.0  # error: SPY115
    return x
