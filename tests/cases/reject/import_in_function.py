"""Imports that would load a module while compiling."""

import staticpy


@staticpy.jit
def f(x: float):
    import antigravity  # error: SPY637

    return x
