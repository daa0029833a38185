"""A generator."""

import staticpy


@staticpy.jit
def f(x):
    yield x  # error: SPY209
    yield
