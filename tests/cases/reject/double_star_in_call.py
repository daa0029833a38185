"""`**` in a call."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    options = {"axis": 0}
    return np.sum(x, **options)  # error: SPY208
