"""What NumPy's arrays don't have."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"]):
    x.shape = (1, 2)  # error: SPY509
    x.dtype = int  # error: SPY509
    x.T = 2.0  # error: SPY509
    x.size += 1  # error: SPY509
    x.flags.writeable = False  # error: SPY509
    return x


@staticpy.jit
def memory(x: f64["n"]):
    x.resize(3)  # error: SPY510
    x.tofile("x.npy")  # error: SPY510
    return x.base, x.flags["OWNDATA"], x.tobytes()  # error: SPY510


@staticpy.jit
def g(x: f64["n"]):
    return np.busday_count("2026-01-01", "2026-02-01")  # error: SPY501


@staticpy.jit
def h(x: f64["n"]):
    return x.__add__(1)  # error: SPY305
