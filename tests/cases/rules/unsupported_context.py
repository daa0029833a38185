"""SPY638: what 'with' cannot be over."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_class(x: float):
    with np.float64:  # error: SPY638
        return x * 2


@staticpy.jit
def a_function(x: float):
    with np.sin:  # error: SPY638
        return x


@staticpy.jit
def a_number(x: float):
    with x:  # error: SPY638
        return x


@staticpy.jit
def errors(x: f64["n"]):
    with np.errstate(divide="ignore"):
        return 1 / x


@staticpy.jit
def two(x: f64["n"]):
    with np.errstate(divide="ignore"), np.errstate(invalid="ignore"):
        return 1 / x
