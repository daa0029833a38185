"""SPY506: what is no array, given to a function of arrays."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_dict(x: f64["n"]):
    return np.tanh({"x": x})  # error: SPY506


@staticpy.jit
def a_function(x: f64["n"]):
    return np.exp(np.sin) + x  # error: SPY506


@staticpy.jit
def a_generator(x: f64["n"]):
    return np.cos(np) + x  # error: SPY506


@staticpy.jit
def a_list(x: float):
    return np.tanh([x, x])


@staticpy.jit
def an_item(x: f64["n"]):
    return np.tanh({"x": x}["x"])
