"""SPY613: an annotation that is not true."""

import staticpy
from staticpy import f64


@staticpy.jit
def result(x: float) -> int:  # error: SPY613
    return x / 2


@staticpy.jit
def variable(x: f64["n"]):
    total: int = x.sum()  # error: SPY613
    return total


@staticpy.jit
def argument(x: f64["n", "m"]):
    return inner(x)


def inner(x: f64["n"]):  # error: SPY613
    return x


@staticpy.jit
def wider(n: int) -> float:
    return n * 2


@staticpy.jit
def one_of_two(x: float, n: int) -> float | None:
    return x if n > 0 else None
