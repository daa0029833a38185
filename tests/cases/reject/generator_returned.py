"""A generator that would leave the function, by a call and as an expression."""

import staticpy


def steps(n):
    yield n
    yield n + 1


@staticpy.jit
def f(n: int):
    return steps(n)  # error: SPY209


@staticpy.jit
def g(n: int):
    return [(i * n for i in range(3))]  # error: SPY209
