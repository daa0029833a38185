"""SPY502: an argument that a graph has no form of."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def median(x: f64["n"]):
    return np.median(x, overwrite_input=True)  # error: SPY502


@staticpy.jit
def percentile(x: f64["n"]):
    return np.percentile(x, 50, overwrite_input=True)  # error: SPY502


@staticpy.jit
def quantile(x: f64["n"]):
    return np.quantile(x, 0.5, overwrite_input=True)  # error: SPY502


@staticpy.jit
def median_of_axis(x: f64["n", 3]):
    return np.median(x, axis=0)


@staticpy.jit
def a_sum(x: f64["n"]):
    return np.sum(x, initial=1.0)
