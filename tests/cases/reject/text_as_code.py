"""Code from text, and what looks at the interpreter."""

import staticpy


@staticpy.jit
def f(n: int):
    exec("n = 3")  # error: SPY609
    return n


@staticpy.jit
def g(n: int):
    return eval("n + 1")  # error: SPY609


@staticpy.jit
def h(n: int):
    return input()  # error: SPY609
