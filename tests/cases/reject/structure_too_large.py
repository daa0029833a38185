"""A tuple of a million items."""

import staticpy


@staticpy.jit
def f(x: float):
    return ((x,) * 1_000_000)[3]  # error: SPY633
