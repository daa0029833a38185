"""SPY606: sizes that can't be together."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def product(x: f64[64, 784], w: f64[512, 10]):
    return x @ w  # error: SPY606


@staticpy.jit
def sum_of_rows(x: f64["n", 3], y: f64[4]):
    return x + y  # error: SPY606


@staticpy.jit
def dot(x: f64[3], y: f64[2]):
    return np.dot(x, y)  # error: SPY606


@staticpy.jit
def in_a_function(x: f64[3]):
    return scale(x, np.ones(4))


def scale(x, weights):
    return x * weights  # error: SPY606


@staticpy.jit
def one_is_stretched(x: f64["n", 3], y: f64["n", 1]):
    return x + y


@staticpy.jit
def from_the_right(x: f64[4, 3], y: f64[3]):
    return x + y


@staticpy.jit
def named(x: f64["n", "m"], w: f64["m", "k"]):
    return x @ w
