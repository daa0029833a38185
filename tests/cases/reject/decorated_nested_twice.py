"""Two decorators: one error."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    @np.vectorize  # error: SPY118
    @staticpy.jit
    def g(y):
        return y + 1

    return g(x)
