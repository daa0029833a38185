"""`match` over sequences, mappings and classes."""

import staticpy


@staticpy.jit
def f(x):
    match (x, 1):  # error: SPY107
        case [a, *rest]:
            return a
        case {"a": b, **others}:
            return b
        case int(real=c):
            return c
    return x
