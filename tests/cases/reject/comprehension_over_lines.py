"""A comprehension over several lines: the error is at its start."""

import staticpy


@staticpy.jit
def f(x):
    parts = [  # error: SPY204
        x * i
        for i in range(3)
    ]
    return parts
