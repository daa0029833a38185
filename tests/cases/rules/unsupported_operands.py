"""SPY605: operators on what has none."""

import staticpy
from staticpy import f64


@staticpy.jit
def array_and_text(x: f64["n"]):
    unit = "m"
    return x + unit  # error: SPY605


@staticpy.jit
def function_and_number(x: float):
    return abs + x  # error: SPY605


@staticpy.jit
def text_and_number(x: float):
    return "x" - x  # error: SPY605


@staticpy.jit
def text_and_text(n: int):
    return "m" * n + "s"


@staticpy.jit
def caught(x: f64["n"]):
    try:
        return "x" - x
    except TypeError:
        return x
