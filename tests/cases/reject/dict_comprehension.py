"""A dict comprehension."""

import staticpy


@staticpy.jit
def f(x):
    parts = {i: x * i for i in range(3)}  # error: SPY204
    return parts[0]
