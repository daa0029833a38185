"""A misspelt name."""

import staticpy


@staticpy.jit
def f(x):
    return x * factr  # error: SPY301
