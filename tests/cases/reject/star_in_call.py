"""`*` in a call."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    pair = (x, x)
    return np.add(*pair)  # error: SPY207
