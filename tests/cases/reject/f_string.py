"""An f-string."""

import staticpy


@staticpy.jit
def f(x):
    label = f"{x.ndim} axes"  # error: SPY205
    return x, label
