"""A set comprehension."""

import staticpy


@staticpy.jit
def f(x):
    parts = {i for i in range(3)}  # error: SPY204
    return x
