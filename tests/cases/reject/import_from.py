"""An import from a module."""

import staticpy


@staticpy.jit
def f(x):
    from math import pi, tau as circle  # error: SPY110
    return x * pi * circle
