"""Attributes of an array that aren't its elements."""

import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"]):
    x.shape = (1, 2)  # error: SPY509
    x.dtype = int  # error: SPY509
    x.T = 2.0  # error: SPY509
    x.size += 1  # error: SPY509
    return x
