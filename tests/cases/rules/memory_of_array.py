"""SPY510: where the memory of an array is asked for."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def base(x: f64["n"]):
    y = x[1:]
    return y.base is x  # error: SPY510


@staticpy.jit
def data(x: f64["n"]):
    return x.data  # error: SPY510


@staticpy.jit
def pointer(x: f64["n"]):
    return x.ctypes  # error: SPY510


@staticpy.jit
def interface(x: f64["n"]):
    return x.__array_interface__  # error: SPY510


@staticpy.jit
def shared(x: f64["n"]):
    y = x[1:]
    return np.shares_memory(x, y)


@staticpy.jit
def size(x: f64["n"]):
    return x.nbytes + x.itemsize
