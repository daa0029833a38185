"""SPY503: arguments that don't fit."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def no_such_keyword(x: f64["n"]):
    return np.sum(x, keep_dims=True)  # error: SPY503


@staticpy.jit
def too_many(x: float):
    return abs(x, 1)  # error: SPY503


@staticpy.jit
def too_few(x: f64["n"]):
    return np.dot(x)  # error: SPY503


@staticpy.jit
def unknown_of_a_builtin(x: float):
    return round(x, digits=2)  # error: SPY503


@staticpy.jit
def its_keyword(x: f64["n"]):
    return np.sum(x, keepdims=True)


@staticpy.jit
def own_with_a_default(x: float):
    def g(y, z=1):
        return y + z

    return g(x)
