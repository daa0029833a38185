"""SPY706: what can't be taken back."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def printed(x: float):
    def g(y):
        print("g")  # error: SPY706
        return y * y

    out, back = staticpy.vjp(g, x)
    return back(out)


@staticpy.jit
def printed_twice(x: float):
    def g(y):
        print(y)  # error: SPY706
        return y

    out, back = staticpy.vjp(g, x)
    return back(1.0)


@staticpy.jit
def in_a_lambda(x: float):
    out, back = staticpy.vjp(lambda y: print("g") or y * y, x)  # error: SPY706
    return back(out)


@staticpy.jit
def outside(x: float):
    def g(y):
        return y * y

    out, back = staticpy.vjp(g, x)
    print("g")
    return back(out)


@staticpy.jit
def once(x: float):
    out, back = staticpy.vjp(lambda y: y * 3, x)
    return back(1.0), out
