"""The decorator with options, under another name."""

import staticpy


from staticpy import jit as compiled


@compiled(static_argnames="n")
def f(x, n):
    assert (m := n) > 0  # error: SPY203
    return x + m
