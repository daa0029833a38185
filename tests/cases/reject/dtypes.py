"""Arrays of objects, of text and of records."""

import numpy as np

import staticpy


@staticpy.jit
def f(n: int):
    return np.zeros(n, dtype=object)  # error: SPY603


@staticpy.jit
def g(n: int):
    return np.zeros(n, dtype=[("a", float)])  # error: SPY603


@staticpy.jit
def h(n: int):
    return np.zeros(n, dtype="datetime64[D]")  # error: SPY603
