"""`**` in a dict."""

import staticpy


@staticpy.jit
def f(x):
    first = {"a": x}
    second = {**first, "b": x}  # error: SPY208
    return second
