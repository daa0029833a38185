"""Assignment to an item of a list and of a dict."""

import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"]):
    items, table = [x, x], {"a": x}
    items[0] = 1.0  # error: SPY115
    items[1] += 1.0  # error: SPY115
    table["b"] = 1.0  # error: SPY115
    items[1:], y = [x], 1  # error: SPY115
    return x
