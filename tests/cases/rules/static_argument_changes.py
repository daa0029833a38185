"""SPY804: static arguments that are another value in each round."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit(static_argnames="n")
def power(x: float, n: int):
    return x**n


def by_position(x):
    return [power(x, i) for i in range(3)]


def in_a_loop(x):
    for i in range(100):
        x = power(x, i)  # error: SPY804
    return x


def by_name(x):
    for i in range(100):
        x = power(x, n=i)  # error: SPY804
    return x


def in_two_loops(x):
    for i in range(10):
        for j in range(10):
            x = power(x, j) + i  # error: SPY804
    return x


def the_same(x):
    n = 2
    for _ in range(100):
        x = power(x, n)
    return x
