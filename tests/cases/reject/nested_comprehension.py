"""A comprehension in a comprehension: one error."""

import staticpy


@staticpy.jit
def f(x):
    return [[x for _ in range(2)] for _ in range(3)]  # error: SPY204
