"""SPY507: what has no items, or none at such an index."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def of_an_int(x: f64["n"], n: int):
    return x * n[0]  # error: SPY507


@staticpy.jit
def by_a_bound_of_text(x: f64["n"]):
    return x[str(x[0]) :]  # error: SPY507


@staticpy.jit
def of_a_float(x: float):
    return x[0]  # error: SPY507


@staticpy.jit
def of_a_bool(x: float, flag: bool):
    return x * flag[0]  # error: SPY507


@staticpy.jit
def of_an_array(x: f64["n"], n: int):
    return x[0] * n


@staticpy.jit
def of_a_tuple(x: float):
    return (x, 1)[0]
