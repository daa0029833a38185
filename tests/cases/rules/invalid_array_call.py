"""SPY505: what NumPy refuses for these arguments."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def no_such_axis(x: f64["m", "n"]):
    return np.sum(x, axis=2)  # error: SPY505


@staticpy.jit
def axis_twice(x: f64["m", "n"]):
    return np.sum(x, axis=(0, 0))  # error: SPY505


@staticpy.jit
def axes_that_are_no_order(x: f64["m", "n"]):
    return np.transpose(x, (0, 2))  # error: SPY505


@staticpy.jit
def last_axis(x: f64["m", "n"]):
    return np.sum(x, axis=-1)


@staticpy.jit
def order(x: f64["m", "n"]):
    return np.transpose(x, (1, 0))
