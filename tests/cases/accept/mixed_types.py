"""Numbers that change their type: where CPython gives an int here and a float there, so do we."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.5, -2.0, 4.0])


# A sum that starts as Python's 0 and goes on in NumPy's float64.
@case((X,), (X[:0],), (X[:1],))
def sum_starts_as_an_int(x: f64["n"]):
    total = 0
    for value in x:
        total += value
    return total


# ... as Python's 0.0.
@case((X,), (X[:0],))
def sum_starts_as_a_python_float(x: f64["n"]):
    total = 0.0
    for value in x:
        total = total + value * value
    return total


# An int that becomes a float at some run-time point.
@case((5, 2), (5, 9), (0, 0))
def int_becomes_a_float(n: int, when: int):
    value = 1
    for i in range(n):
        if i == when:
            value = value / 2
        else:
            value = value * 3
    return value


# Branches of different types.
@case((1,), (-1,), (0,))
def int_or_float(n: int):
    if n > 0:
        return n
    return n / 2


@case((3, 0.5), (-3, 0.5))
def conditional_expression_of_two_types(n: int, x: float):
    value = n if n > 0 else x
    return value, value * 2, value + x, -value


# Python scalar or NumPy scalar.
@case((X, 1.0), (X, 9.0))
def numpy_or_python_scalar(x: f64["n"], limit: float):
    best = limit
    for value in x:
        if value > best:
            best = value
    return best


# bool of Python or of NumPy.
@case((1, X), (0, X))
def numpy_or_python_bool(n: int, x: f64["n"]):
    flag = n > 0 and x[n] > 3.0
    return flag


@case((0, 2.5), (3, 0.0), (3, 2.5), (0, 0.0))
def and_or_over_different_types(n: int, x: float):
    return n and x, n or x


# Comparison, truth and arithmetic of a value of two types.
@case((2,), (-3,))
def use_of_a_value_of_two_types(n: int):
    value = n * 2 if n > 0 else n * 0.5
    count = 0
    if value:
        count += 1
    if value > 1:
        count += 10
    while value > 1:
        value = value - 1
        count += 100
    return count, value, value * value, value == 2


# A division of a value of two types: ZeroDivisionError or inf.
@case((0,), (1,), (2,))
def division_of_a_value_of_two_types(n: int):
    value = 0 if n == 0 else np.float64(0.0)
    if n == 2:
        value = 4
    return 8 / value


# ints beyond 64 bits or floats.
@case((1,), (0,))
def big_int_or_float(n: int):
    value = 2**70 if n else 2.0**70
    return value + 1, value * 3


# NumPy's int wraps, Python's doesn't: it depends on the box.
@case((1,), (0,))
def wrapping_depends_on_the_box(n: int):
    value = 2**62 if n else np.int64(2**62)
    return value * 2 - 1 if n else value - 1


# A running maximum that starts as minus infinity.
@case((X,), (X[:0],), (np.array([np.nan, 1.0]),))
def maximum_starts_as_minus_infinity(x: f64["n"]):
    best = -np.inf
    for value in x:
        best = max(float(value), best)
    return best
