"""SPY704: where forward mode has nothing to give."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_text(x: float):
    return staticpy.jvp(lambda y: {"y": y * y, "name": "square"}, (x,), (1.0,))[1]  # error: SPY704


@staticpy.jit
def a_text_in_a_tuple(x: float):
    return staticpy.jvp(lambda y: (y, "name"), (x,), (1.0,))[1]  # error: SPY704


@staticpy.jit
def a_function(x: float):
    return staticpy.jvp(lambda y: (y, abs), (x,), (1.0,))[1]  # error: SPY704


@staticpy.jit
def a_dict(x: float):
    return staticpy.jvp(lambda y: {"y": y * y}, (x,), (1.0,))[1]


@staticpy.jit
def a_tuple(x: float):
    return staticpy.jvp(lambda y: (y, y * y), (x,), (1.0,))[1]
