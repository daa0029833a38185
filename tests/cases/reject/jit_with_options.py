"""The decorator with options, under another name."""

import staticpy


from staticpy import jit as compiled


@compiled(static_argnames="n")
def f(x, n):
    assert (yield n) > 0  # error: SPY202
    return x
