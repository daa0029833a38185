"""SPY639: what depends on how far a 'try' has come."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_set(n: int):
    tags = {"whole"}
    try:
        tags = {"part"}
        n = 10 // n
    except ZeroDivisionError:
        n = 1
    return n, "part" in tags  # error: SPY639


@staticpy.jit
def a_function(x: float, n: int):
    step = abs
    try:
        step = lambda y: y * 2
        n = 10 // n
    except ZeroDivisionError:
        n = 1
    return n, step(x)  # error: SPY639


@staticpy.jit
def another_set(n: int):
    tags = {1}
    try:
        tags = {2, 3}
        n = 10 // n
    except ZeroDivisionError:
        n = 1
    return n, len(tags)  # error: SPY639


@staticpy.jit
def after_what_raises(n: int):
    tags = {"whole"}
    try:
        n = 10 // n
        tags = {"part"}
    except ZeroDivisionError:
        n = 1
    return n


@staticpy.jit
def a_number(n: int):
    k = 1
    try:
        k = 2
        n = 10 // n
    except ZeroDivisionError:
        n = 1
    return n + k
