"""A decorated function in a plain one."""

import staticpy


def make(n):
    @staticpy.jit
    def f(x):
        return x + n + missing  # error: SPY301

    return f
