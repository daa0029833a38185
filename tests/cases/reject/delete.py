"""What can't be deleted."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"]):
    del x[0]  # error: SPY635
    return x


@staticpy.jit
def g(x: f64["n"]):
    del np.sin  # error: SPY635
    return x
