# python: 3.12
"""Type parameters of a nested function."""

import staticpy


@staticpy.jit
def f(x):
    def g[T](y: T) -> T:  # error: SPY100
        return y

    return g(x)
