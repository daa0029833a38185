"""SPY305: what a value has no attribute for."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def operator_by_name(x: f64["n"]):
    return x.__add__(1)  # error: SPY305


@staticpy.jit
def interface(x: f64["n"]):
    return x.__array_priority__  # error: SPY305


@staticpy.jit
def of_a_number(x: float):
    return x.__round__()  # error: SPY305


@staticpy.jit
def known(x: f64["n", 3]):
    return x.T.shape[0] + x.ndim


@staticpy.jit
def of_a_number_that_it_has(x: float):
    return x.real + x.imag
