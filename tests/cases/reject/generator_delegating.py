"""`yield from`."""

import staticpy


@staticpy.jit
def f(x):
    yield from x  # error: SPY209
