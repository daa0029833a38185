"""`*` in a list."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    parts = [x]
    parts = [*parts, x]  # error: SPY207
    return np.stack(parts)
