"""SPY501: a function that NumPy lacks, or that works outside of the program."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def misspelt(x: f64["n"]):
    return np.tenh(x)  # error: SPY501


@staticpy.jit
def given_up(x: f64["n"]):
    return np.product(x)  # error: SPY501


@staticpy.jit
def reads_a_file(x: f64["n"]):
    return x + np.load("x.npy")  # error: SPY501


@staticpy.jit
def not_reached(x: f64["n"]):
    if x.ndim == 2:
        return np.tenh(x)
    return np.tanh(x)


@staticpy.jit
def its_new_name(x: f64["n"]):
    return np.prod(x)
