"""What Python's compiler refuses, though its parser does not."""

import staticpy


@staticpy.jit
def f(x):
    break  # error: SPY001
    return x
