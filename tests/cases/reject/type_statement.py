# python: 3.12
"""A type alias."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    type Vector = np.ndarray  # error: SPY100
    return x
