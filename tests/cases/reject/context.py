"""Contexts that belong outside."""

import staticpy


@staticpy.jit
def f(x: float):
    with x:  # error: SPY638
        return x
