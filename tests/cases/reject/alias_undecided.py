"""A write to one of two dicts, whichever it is."""

import staticpy


@staticpy.jit
def f(x: float, n: int):
    left, right = {"value": x}, {"value": -x}
    chosen = left if n > 0 else right
    chosen["value"] = 1.0  # error: SPY631
    return left["value"], right["value"]
