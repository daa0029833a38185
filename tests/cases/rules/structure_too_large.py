"""SPY633: structures that no graph should have."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_tuple(x: float):
    many = (x,) * 1_000_000  # error: SPY633
    return many[3]


@staticpy.jit
def a_tuple_of_two(x: float):
    many = (x, 1) * 100_000  # error: SPY633
    return many[3]


@staticpy.jit
def from_the_left(x: float):
    many = 1_000_000 * (x,)  # error: SPY633
    return many[3]


@staticpy.jit
def an_array(x: float):
    many = np.full(1_000_000, x)
    return many[3]


@staticpy.jit
def a_short_tuple(x: float):
    many = (x,) * 100
    return many[3]
