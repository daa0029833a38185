"""A decorated function in a plain one."""

import staticpy


def make(n):
    @staticpy.jit
    def f(x):
        return x + n, {n}  # error: SPY206

    return f
