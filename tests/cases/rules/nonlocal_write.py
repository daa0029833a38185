"""SPY109: a variable of a function that is not compiled."""

import numpy as np

import staticpy
from staticpy import f64


def counter():
    count = 0

    @staticpy.jit
    def step(x: float):
        nonlocal count
        count = count + 1  # error: SPY109
        return x * count

    return step


def last():
    seen = 0.0

    @staticpy.jit
    def step(x: float):
        nonlocal seen
        seen = x  # error: SPY109
        return x

    return step


def deeper():
    n = 0

    @staticpy.jit
    def step(x: float):
        def inner():
            nonlocal n
            n += 1  # error: SPY109

        inner()
        return x

    return step


@staticpy.jit
def own_counter(x: float):
    count = 0

    def step(y):
        nonlocal count
        count = count + 1
        return y * count

    return step(step(x))


@staticpy.jit
def two_deep(x: float):
    total = 0.0

    def outer():
        def inner():
            nonlocal total
            total += x

        inner()
        inner()

    outer()
    return total
