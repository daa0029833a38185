"""A module that isn't imported."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    return jnp.tanh(x)  # error: SPY301
