"""What can't be compiled, to be checked and not run: `staticpy check examples/rejected.py`."""

import numpy as np

import staticpy
from staticpy import f64

NAMES = ("mean", "max", "min")
calls = 0


@staticpy.jit
def running_mean(x: f64["n"], steps: int):
    """Counts its calls in a variable of the module."""
    global calls  # noqa: PLW0603
    calls = calls + 1
    return np.mean(x[:steps])


@staticpy.jit
def layer(x: f64["batch", 3], w: f64[4, "units"]):
    """Multiplies matrices whose sizes can't fit."""
    return np.tanh(x @ w)


@staticpy.jit
def weighted(x: f64["n"]):
    """Goes through a set of strings, whose order differs from run to run."""
    total = 0.0
    for name in set(NAMES):
        total = total / 2 + getattr(np, name)(x)
    return total
