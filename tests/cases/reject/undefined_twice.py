"""Every use of an undefined name is reported."""

import staticpy


@staticpy.jit
def f(x):
    y = x + aaa  # error: SPY301
    return y * aaa + bbb  # error: SPY301, SPY301
