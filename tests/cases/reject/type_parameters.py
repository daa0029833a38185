# python: 3.12
"""Type parameters."""

import staticpy


@staticpy.jit
def f[T](x: T) -> T:  # error: SPY100
    return x
