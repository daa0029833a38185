"""SPY509: an attribute of an array that is written."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def shape(x: f64[6]):
    y = x + 1
    y.shape = (2, 3)  # error: SPY509
    return y


@staticpy.jit
def dtype(x: f64["n"]):
    y = x + 1
    y.dtype = np.int64  # error: SPY509
    return y


@staticpy.jit
def strides(x: f64["n"]):
    y = x + 1
    y.strides = (8,)  # error: SPY509
    return y


@staticpy.jit
def reshaped(x: f64[6]):
    y = x + 1
    y = y.reshape(2, 3)
    return y


@staticpy.jit
def items(x: f64["n"]):
    y = x + 1
    y[:] = 2.0
    return y.shape
