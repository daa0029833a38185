"""A function inside of the compiled one that assigns a variable of the module."""

import staticpy


count = 0


@staticpy.jit
def f(x):
    def step():
        global count
        count += 1  # error: SPY108

    step()
    return x
