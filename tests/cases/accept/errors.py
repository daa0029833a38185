"""Errors of the running program: the class that CPython and NumPy raise, where they raise it."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([1.0, 2.0, 3.0])


# assert.
@case((1,), (0,))
def assertion(n: int):
    assert n > 0
    return 10 // n


# assert with a message.
@case((1.0,), (-1.0,))
def assertion_with_a_message(x: float):
    assert x >= 0.0, "x must not be negative"
    return x * 2.0


# The message is evaluated only where the assertion fails.
@case((2, 0), (0, 0), (0, 2))
def message_is_evaluated_late(n: int, k: int):
    assert n > 0, 1 // k
    return n


# assert on the truth of an array.
@case((X,), (X[:1],), (np.array([0.0]),))
def assertion_on_an_array(x: f64["n"]):
    assert x
    return x + 1.0


# assert on all elements.
@case((X,), (-X,))
def assertion_on_all_elements(x: f64["n"]):
    assert (x > 0).all()
    return np.log(x)


# assert in a loop: what came before it doesn't matter.
@case((5, 10), (5, 3))
def assertion_in_a_loop(n: int, limit: int):
    total = 0
    for i in range(n):
        total += i
        assert total <= limit
    return total


# assert on shapes.
@case((X, X), (X, X[:2]))
def assertion_on_shapes(x: f64["n"], y: f64["m"]):
    assert x.shape == y.shape
    return x - y


# Of two errors the first one comes.
@case((0, 5), (1, 5), (0, 1), (1, 1))
def first_error_wins(n: int, i: int):
    a = 1 // n
    b = (1, 2, 3)[0] + X[i]
    return a, b


# An unused result that raises still raises.
@case((X, 7), (X, 0))
def unused_index_raises(x: f64["n"], i: int):
    x[i]
    return 1


# In a branch that isn't taken nothing raises.
@case((X, 7, 0), (X, 7, 1), (X, 1, 1))
def branch_that_is_not_taken(x: f64["n"], i: int, wanted: int):
    value = np.float64(0.0)
    if wanted:
        value = x[i]
    return value


# In a loop that doesn't run neither, though its body doesn't depend on it.
@case((0, 0), (1, 0), (1, 3))
def loop_that_does_not_run(trips: int, n: int):
    total = 0
    for _ in range(trips):
        total += 12 // n
    return total


# The truth of an array with several elements: ValueError.
@case((X,), (X[:1],), (np.array([0.0]),))
def truth_of_an_array(x: f64["n"]):
    while x:
        x = x - x
    return x


# item() of an array with several elements: ValueError.
@case((X,), (X[1:2],))
def item_of_an_array(x: f64["n"]):
    return x.item()


# Shapes that don't fit, found out late.
@case((X, 1), (X, 2), (X, 0))
def slices_that_do_not_fit(x: f64["n"], k: int):
    return x[k:] + x[: len(x) - k] * x[:-1][: len(x) - 1]


# A reduction over nothing.
@case((X, 0.0), (X, 9.0))
def maximum_of_a_selection(x: f64["n"], limit: float):
    return x[x > limit].max()


# The position of the largest of nothing.
@case((X[:0],), (X,))
def position_in_nothing(x: f64["n"]):
    return np.argmax(x)


# An integer to a negative power.
@case((np.array([1, 2]), np.array([1, 3])), (np.array([1, 2]), np.array([1, -3])))
def negative_integer_power(x: i64["n"], k: i64["n"]):
    return x**k


# ZeroDivisionError inside an expression over arrays.
@case((X, 0), (X, 4))
def division_among_arrays(x: f64["n"], n: int):
    return x * (1 / n) + x


# Division of a NumPy scalar by zero is inf and a warning; converted to Python it raises.
@case((np.float64(1.0), 0.0), (np.float64(-1.0), 0.0), (np.float64(0.0), 0.0))
def numpy_division_by_zero(x: np.float64, y: float):
    return x / y


@case((np.float64(1.0), 0.0), (np.float64(1.0), 4.0))
def python_division_by_zero(x: np.float64, y: float):
    return float(x) / y


# OverflowError of Python's floats; inf of NumPy's.
@case((1e200, np.float64(1e200)), (2.0, np.float64(1e200)))
def overflow(x: float, y: np.float64):
    return x**2, y**2


# A dynamic size of an array that is negative.
@case((2,), (-2,))
def negative_size(n: int):
    return np.ones(n) * 2.0


# What Python says of indexes that are none.
@case((np.float64(1.5),), (1.5,), (None,), (np.arange(2),), ("a",))
def no_indexes(n):
    found = []
    try:
        found.append([1, 2][n])
    except TypeError as error:
        found.append(str(error))
    try:
        found.append("abc"[n])
    except TypeError as error:
        found.append(str(error))
    return found
