"""A local variable of a nested function is not seen outside of it."""

import staticpy


@staticpy.jit
def f(x):
    def g():
        inner = 2.0
        return inner

    return x * g() * inner  # error: SPY301
