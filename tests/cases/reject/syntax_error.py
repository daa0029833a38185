"""Text that is not Python: nothing else of the file is reported."""

import staticpy


@staticpy.jit
def f(x):
    return x +  # error: SPY001
