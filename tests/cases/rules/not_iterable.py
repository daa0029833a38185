"""SPY607: what cannot be gone through."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_function(x: float):
    for i in np.sin:  # error: SPY607
        x = x * i
    return x


@staticpy.jit
def a_module(x: float):
    for i in np:  # error: SPY607
        x = x * i
    return x


@staticpy.jit
def a_dtype(x: float):
    return [x for _ in np.float64]  # error: SPY607


@staticpy.jit
def an_array(x: f64["n"]):
    total = 0.0
    for i in np.sin(x):
        total = total + i
    return total


@staticpy.jit
def a_dict(x: float):
    return [key for key in {"a": x}]
