"""A name that is not defined hides no other error, and rejected syntax hides no name."""

import numpy as np

import staticpy

CALLS = 0


def norm(v):
    return np.sqrt((v * v).sum())


@staticpy.jit
def f(x: staticpy.f64["n"], y: staticpy.f64["m", "k"]):
    a = x + "one"  # error: SPY605
    b = nrom(x)  # error: SPY301
    c = norm(x)
    d = x[0, 0] + b  # error: SPY505
    e = y.sum(axis=5)  # error: SPY505
    return a, c, d + later, e  # error: SPY301


@staticpy.jit
def g(x: staticpy.f64["n"]):
    global CALLS
    CALLS += 1  # error: SPY108

    async def later():  # error: SPY103
        return nothing_in_here

    class Held:  # error: SPY104
        value = nothing_in_here

    return Held, later, xs  # error: SPY301
