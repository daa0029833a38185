"""Two context managers, over two lines."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    with (  # error: SPY102
        np.errstate(divide="ignore") as a,
        np.errstate(over="ignore"),
    ):
        return 1 / x
