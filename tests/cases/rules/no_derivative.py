"""SPY701: derivatives that there are not."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
@staticpy.grad
def next_number(x: float):
    return np.nextafter(x, 1.0)  # error: SPY701


@staticpy.jit
def inside(x: float):
    return staticpy.grad(lambda y: np.nextafter(y, 1.0))(x)  # error: SPY701


@staticpy.jit
@staticpy.value_and_grad
def with_its_value(x: float):
    return x * np.nextafter(x, 2.0)  # error: SPY701


@staticpy.jit
@staticpy.grad
def sine(x: float):
    return np.sin(x)


@staticpy.jit
@staticpy.grad
def a_constant(x: float):
    return np.nextafter(0.5, 1.0) * x
