"""`nonlocal` in a nested function."""

import staticpy


@staticpy.jit
def f(x):
    n = 0

    def step():
        nonlocal n  # error: SPY109
        n = n + 1

    step()
    return x + n
