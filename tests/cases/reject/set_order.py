"""The order of a set of strings differs from run to run."""

import staticpy


@staticpy.jit
def f(x: float):
    for name in {"a", "b", "c"}:  # error: SPY634
        x = x * 2 + len(name)
    return x


@staticpy.jit
def g(x: float):
    return [x * len(name) for name in {"a", "bc"}]  # error: SPY634
