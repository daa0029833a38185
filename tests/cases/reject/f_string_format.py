"""An f-string with a conversion and a format."""

import staticpy


@staticpy.jit
def f(x):
    label = f"{x!r:>{10}}"  # error: SPY205
    return x, label
