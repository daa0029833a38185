"""SPY702: gradients of what is not one real number."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
@staticpy.grad
def an_array(x: f64["n"]):  # error: SPY702
    return np.sin(x)


@staticpy.jit
@staticpy.grad
def an_int(x: float):  # error: SPY702
    return 2


@staticpy.jit
@staticpy.grad
def a_tuple(x: float):  # error: SPY702
    return x, x


@staticpy.jit
@staticpy.grad
def a_sum(x: f64["n"]):
    return np.sin(x).sum()


@staticpy.jit
def of_a_part(x: f64["n"]):
    return staticpy.grad(lambda y: (y * y).sum())(x)
