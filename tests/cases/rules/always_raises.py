"""SPY407: a warning, where what is known while compiling says that a line raises."""

import staticpy


@staticpy.jit
def beyond_the_end(x: float):
    weights = [0.5, 0.25]
    return x * weights[2]  # error: SPY407


@staticpy.jit
def no_such_key(x: float):
    weights = {"a": 0.5}
    return x * weights["b"]  # error: SPY407


@staticpy.jit
def never_bound(x: float):
    y = z + x  # error: SPY407
    z = y
    return z


@staticpy.jit
def by_zero(n: int):
    return n // 0  # error: SPY407


@staticpy.jit
def at_the_end(x: float):
    weights = [0.5, 0.25]
    return x * weights[-1]


@staticpy.jit
def caught(x: float):
    weights = {"a": 0.5}
    try:
        return x * weights["b"]
    except KeyError:
        return x


@staticpy.jit
def on_one_path(x: float, n: int):
    if n > 0:
        y = x
    return y  # error: SPY806
