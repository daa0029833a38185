"""SPY703: gradients by what has none."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
@staticpy.grad
def an_int(x: int):  # error: SPY703
    return x * 0.5


@staticpy.jit
@staticpy.grad
def a_bool(x: bool):  # error: SPY703
    return x * 0.5


@staticpy.jit
def inside(n: int):
    return staticpy.grad(lambda y: y * 0.5)(n)  # error: SPY703


@staticpy.jit
@staticpy.grad
def a_float(x: float):
    return x * 0.5


@staticpy.jit
@staticpy.grad
def beside_an_int(x: float, n: int):
    return x * n
