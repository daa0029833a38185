"""SPY601: functions that have no form for these types."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def bits_of_floats(x: f64["n"]):
    return np.bitwise_and(x, 1.5)  # error: SPY601


@staticpy.jit
def shift_of_floats(x: f64["n"]):
    return np.left_shift(x, x)  # error: SPY601


@staticpy.jit
def inverted(x: f64["n"]):
    return np.invert(x)  # error: SPY601


@staticpy.jit
def bits_of_ints(x: f64["n"]):
    return np.bitwise_and(x.astype(np.int64), 1)


@staticpy.jit
def logical(x: f64["n"]):
    return np.logical_and(x, 1.5)
