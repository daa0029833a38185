"""A context manager."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    with np.errstate(divide="ignore"):  # error: SPY102
        return 1 / x
