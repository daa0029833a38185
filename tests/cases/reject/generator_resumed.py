"""A generator that is asked again after it was left in the middle."""

import staticpy


@staticpy.jit
def f(n: int):
    steps = (i * n for i in (1, 2, 3))
    first = next(steps)
    return first, sum(steps)  # error: SPY210


@staticpy.jit
def g(n: int):
    numbered = enumerate((n, n, n))
    for i, item in numbered:
        if item > 2:
            break
    return list(numbered)  # error: SPY210
