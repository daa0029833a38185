"""What can't be compiled, to be checked and not run: `staticpy check examples/rejected.py`."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def running_mean(x: f64["n"], steps: int):
    """Writes into its argument, and catches what goes wrong."""
    try:
        x[0] = 0.0
    except IndexError:
        return 0.0
    return np.mean(x[:steps])


@staticpy.jit
def layer(x: f64["batch", 3], w: f64[4, "units"]):
    """Multiplies matrices whose sizes can't fit."""
    return np.tanh(x @ w)


@staticpy.jit
def first_above(x: f64["n"], limit: float):
    """Gives an index, or nothing at all."""
    for i, value in enumerate(x):
        if value > limit:
            return i
    return None
