"""`**kwargs`."""

import staticpy


@staticpy.jit
def f(x, **options):  # error: SPY117
    return x
