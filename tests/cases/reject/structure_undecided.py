"""A dict of functions that has other keys on each path."""

import staticpy


@staticpy.jit
def f(x: float, n: int):
    steps = {"scale": lambda y: y * 2}
    if n > 0:
        steps["shift"] = lambda y: y + 1
    return steps["scale"](x)  # error: SPY632
