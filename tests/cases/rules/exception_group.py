"""SPY105: a handler of groups."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def one(x: float, n: int):
    try:  # error: SPY105
        return x / (1 // n)
    except* ZeroDivisionError:
        n = 0
    return x


@staticpy.jit
def two(x: float, n: int):
    try:  # error: SPY105
        return x / n
    except* ZeroDivisionError:
        n = 1
    except* ValueError:
        n = 2
    return x * n


@staticpy.jit
def nested(x: float, n: int):
    for i in range(n):
        try:  # error: SPY105
            x = x / i
        except* ZeroDivisionError:
            n = 1
    return x


@staticpy.jit
def plain(x: float, n: int):
    try:
        return x / (1 // n)
    except ZeroDivisionError:
        n = 0
    return x


@staticpy.jit
def several(x: float, n: int):
    try:
        return x / n
    except (ZeroDivisionError, ValueError):
        return x
