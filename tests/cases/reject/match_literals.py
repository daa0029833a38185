"""`match` over literals."""

import staticpy


@staticpy.jit
def f(x):
    match x.ndim:  # error: SPY107
        case 0:
            return x
        case 1 | 2:
            return x + 1
        case _:
            return x + 2
