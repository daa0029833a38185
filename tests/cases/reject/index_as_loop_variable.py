"""An item of a list as loop variable."""

import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"]):
    y = [0, 0]
    for y[0] in range(3):  # error: SPY115
        x = x + 1
    return x
