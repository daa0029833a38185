"""SPY301: a name that neither the function nor the file nor Python has."""

import numpy as np

import staticpy


@staticpy.jit
def misspelt(x: float):
    total = x * 2
    return totl + x  # error: SPY301


@staticpy.jit
def not_imported(x: float):
    return math.sin(x)  # error: SPY301


@staticpy.jit
def in_a_nested_function(x: float):
    def inner(y):
        return y + offset  # error: SPY301

    return inner(x)


@staticpy.jit
def defined_later(x: float):
    return later(x)


def later(x):
    return x + 1


@staticpy.jit
def in_a_comprehension(x: float):
    return [y * x for y in (1, 2)]


@staticpy.jit
def imported_inside(x: float):
    import math

    return math.sin(x) + np.pi
