"""SPY640: a generator that handles what its caller raises."""

import numpy as np

import staticpy
from staticpy import f64


def halves(n):  # error: SPY640
    try:
        yield n
        yield 10 // n
    except ZeroDivisionError:
        yield 0


def thirds(n):  # error: SPY640
    try:
        yield n
    except ZeroDivisionError:
        yield 3


def quarters(n):  # error: SPY640
    try:
        yield n
        yield 2 * n
    except ZeroDivisionError:
        yield 4


@staticpy.jit
def a_loop(n: int):
    total = 0
    for item in halves(n):
        total += 100 // item
    return total


@staticpy.jit
def beside_another(n: int):
    total = 0
    for item, k in zip(thirds(n), range(3)):
        total += 100 // (item - k)
    return total


@staticpy.jit
def a_comprehension(n: int):
    return [100 // item for item in quarters(n)]


@staticpy.jit
def as_a_list(n: int):
    total = 0
    for item in list(halves(n)):
        total += 100 // item
    return total


@staticpy.jit
def nothing_raises(n: int):
    total = 0
    for item in halves(n):
        total = item
    return total
