"""SPY406: what cannot be gone through side by side."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def beside_a_set(x: f64["n"]):
    total = 0.0
    for value, weight in zip(x, {1, 2}):  # error: SPY406
        total = total + value * weight
    return total


@staticpy.jit
def numbered_set(x: f64["n"]):
    total = 0.0
    for value, weight in zip({3, 4}, x):  # error: SPY406
        total = total + value * weight
    return total


@staticpy.jit
def three(x: f64["n"]):
    total = 0.0
    for a, b, c in zip(x, x, {1, 2}):  # error: SPY406
        total = total + a * b * c
    return total


@staticpy.jit
def a_sorted_set(x: f64["n"]):
    total = 0.0
    for value, weight in zip(x, sorted({1, 2})):
        total = total + value * weight
    return total


@staticpy.jit
def a_tuple(x: f64["n"]):
    total = 0.0
    for value, weight in zip(x, (1, 2)):
        total = total + value * weight
    return total
