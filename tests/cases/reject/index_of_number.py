"""Assignment to an item of what has none, or of what never changes."""

import staticpy


@staticpy.jit
def f(x: float):
    x[0] = 1.0  # error: SPY508
    x[0] += 1.0  # error: SPY508
    pair = (x, x)
    pair[0] = 1.0  # error: SPY508
    text = "abc"
    text[0] = "b"  # error: SPY508
    return x
