"""SPY802: what a derivative does not go through."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def rounded(x: float):
    return x * round(x)  # error: SPY802


by_rounded = staticpy.grad(rounded)


@staticpy.jit
def as_int(x: float):
    return x * int(x)  # error: SPY802


by_int = staticpy.grad(as_int)


@staticpy.jit
def floored(x: float):
    return x * (x // 1) + int(x + 1)  # error: SPY802


by_floored = staticpy.grad(floored)


@staticpy.jit
def not_differentiated(x: float):
    return x * round(x)


@staticpy.jit
def stopped(x: float):
    return x * round(staticpy.stop_gradient(x))


by_stopped = staticpy.grad(stopped)
