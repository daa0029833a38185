"""SPY402: what two branches leave has no one value in the running program."""

import staticpy
from staticpy import f64


@staticpy.jit
def number_or_function(x: float, n: int):
    y = x
    if n > 0:
        y = lambda z: z + x
    return y  # error: SPY402


@staticpy.jit
def number_or_method(x: float, n: int):
    y = x
    if n > 0:
        y = [x].append
    return y  # error: SPY402


@staticpy.jit
def number_or_module(x: float, n: int):
    if n > 0:
        tool = staticpy
    else:
        tool = x
    return tool  # error: SPY402


@staticpy.jit
def several_types(x: float, n: int):
    y = x
    if n > 0:
        y = (x, x)
    return y


@staticpy.jit
def decided_while_compiling(x: f64["n"]):
    y = abs
    if x.ndim > 1:
        y = x
    return y(x)


@staticpy.jit
def used_inside(x: float, n: int):
    if n > 0:
        f = abs
        return f(x)
    f = round
    return f(x)
