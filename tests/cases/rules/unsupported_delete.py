"""SPY635: elements of arrays can't be deleted."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def first(x: f64["n"]):
    del x[0]  # error: SPY635
    return x


@staticpy.jit
def some(x: f64["n"]):
    del x[1:3]  # error: SPY635
    return x


@staticpy.jit
def of_a_local_array(n: int):
    x = np.zeros(n)
    del x[n - 1]  # error: SPY635
    return x


@staticpy.jit
def the_name(x: f64["n"]):
    y = x * 2
    del x
    return y


@staticpy.jit
def of_a_list(x: float):
    items = [x, 2 * x, 3 * x]
    del items[0]
    return items
