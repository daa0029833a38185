"""SPY623: what has no value in the running program."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_function(x: float):
    scale = lambda y: y * 2
    print(scale)  # error: SPY623
    return scale(x)


@staticpy.jit
def a_method(x: f64["n"]):
    print(x.sum)  # error: SPY623
    return x


@staticpy.jit
def in_a_text(x: float):
    scale = lambda y: y * 2
    return f"{scale}"  # error: SPY623


@staticpy.jit
def its_result(x: float):
    scale = lambda y: y * 2
    print(scale(x))
    return scale(x)


@staticpy.jit
def its_name(x: float):
    def scale(y):
        return y * 2

    print(scale.__name__)
    return scale(x)
