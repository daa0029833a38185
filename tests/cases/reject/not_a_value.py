"""What has no value in the running program, and what must be known while compiling."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"], n: int):
    print(lambda: n)  # error: SPY623
    return x


@staticpy.jit
def g(x: f64["n"], flag: bool):
    return np.sum(x, keepdims=flag)  # error: SPY504


@staticpy.jit
def h(x: f64["n"]):
    def inner():
        return x

    return inner  # error: SPY624


@staticpy.jit
def k(x: f64["m", "n"]):
    return dict(x)  # error: SPY504


@staticpy.jit
def o():
    return list(range(2**70))  # error: SPY605
