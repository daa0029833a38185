"""A generator expression."""

import staticpy


@staticpy.jit
def f(x):
    return sum(x * i for i in range(3) if i)  # error: SPY204
