"""A generator."""

import staticpy


@staticpy.jit
def f(x):
    yield x  # error: SPY202
    yield  # error: SPY202
