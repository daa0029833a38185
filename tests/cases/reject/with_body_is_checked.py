"""The body of a rejected statement is checked, too."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    with np.errstate(divide="ignore"):  # error: SPY102
        y = 1 / x
        del y  # error: SPY101
    return y
