# python: 3.14
"""A template string."""

import staticpy


@staticpy.jit
def f(x):
    return t"{x}"  # error: SPY205
