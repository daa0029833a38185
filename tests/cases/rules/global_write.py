"""SPY108: an effect outside of the graph."""

import numpy as np

import staticpy
from staticpy import f64


COUNT = 0


@staticpy.jit
def assigned(x: float):
    global COUNT
    COUNT = 1  # error: SPY108
    return x


@staticpy.jit
def counted(x: float):
    global COUNT
    COUNT += 1  # error: SPY108
    return x


@staticpy.jit
def in_a_nested_function(x: float):
    def g():
        global COUNT
        COUNT = 2  # error: SPY108
        return x

    return g()


@staticpy.jit
def local_of_the_same_name(x: float):
    COUNT = 1
    return x * COUNT


@staticpy.jit
def parameter_of_the_same_name(x: float, COUNT: int):
    COUNT += 1
    return x * COUNT
