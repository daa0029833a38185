"""SPY508: what cannot be assigned to."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def of_a_number(x: f64["n"]):
    total = x.sum()
    total[0] = 1.0  # error: SPY508
    return total


@staticpy.jit
def of_an_argument(x: float):
    x[0] = 1.0  # error: SPY508
    return x


@staticpy.jit
def of_an_int(n: int):
    n[0] = 1  # error: SPY508
    return n


@staticpy.jit
def of_an_array(x: f64["n"]):
    total = x.sum(keepdims=True)
    total[0] = 1.0
    return total


@staticpy.jit
def of_a_list(x: float):
    items = [x, x]
    items[0] = 1.0
    return items
