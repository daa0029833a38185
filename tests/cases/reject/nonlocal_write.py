"""An assignment to a variable of the plain function around."""

import staticpy


def counter():
    count = 0

    @staticpy.jit
    def step(x):
        nonlocal count
        count = count + 1  # error: SPY109
        return x * count

    return step
