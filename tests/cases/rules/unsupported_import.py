"""SPY637: modules that are loaded while the function runs."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def antigravity(x: float):
    import antigravity  # error: SPY637

    return x


@staticpy.jit
def from_one(x: float):
    from this import s  # error: SPY637

    return x


@staticpy.jit
def renamed(x: float):
    import turtledemo as t  # error: SPY637

    return x


@staticpy.jit
def math_of_python(x: float):
    import math

    return x * math.pi


@staticpy.jit
def numpy(x: float):
    import numpy

    return numpy.sin(x)
