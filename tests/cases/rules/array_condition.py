"""SPY801: conditions that NumPy refuses for more than one element."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def relu(x: f64["n"]):
    if x > 0:  # error: SPY801
        return x
    return 0 * x


@staticpy.jit
def loop(x: f64["n"]):
    while x > 1:  # error: SPY801
        x = x - 1
    return x


@staticpy.jit
def either(x: f64["n"]):
    return x if x == 1 else -x  # error: SPY801


@staticpy.jit
def all_of_them(x: f64["n"]):
    if (x > 0).all():
        return x
    return 0 * x


@staticpy.jit
def by_element(x: f64["n"]):
    return np.where(x > 0, x, 0)
