"""Where the errors come from that a handler sees: calls, keys, shapes, conversions, indexes."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
TABLE = {"a": 1, "b": 2}


# An error inside of a called function.
def parsed(items, i):
    value = items[i]
    if value < 0.0:
        raise ValueError("negative")
    return value**0.5


@case((0,), (1,), (5,))
def error_in_a_called_function(i: int):
    try:
        return parsed(X, i)
    except ValueError as error:
        return str(error)
    except IndexError:
        return "index"


# A function with a handler of its own, called twice.
def safe_ratio(a, b, otherwise=0.0):
    try:
        return a / b
    except ZeroDivisionError:
        return otherwise


@case((1, 0, 2), (0, 1, 0))
def function_with_a_handler(a: int, b: int, c: int):
    return safe_ratio(a, b) + safe_ratio(b, c, -1.0) + safe_ratio(a, 0)


# Key errors of compile-time dicts, with keys known at run time or not.
@case((1,), (7,))
def key_errors(n: int):
    try:
        first = TABLE["c"]
    except KeyError:
        first = 0
    try:
        second = {1: "x", 2: "y"}[n]
    except KeyError as error:
        second = "none"
    return first, second


# Attribute errors decided while compiling.
@case((X,))
def attribute_errors(x: f64["n"]):
    try:
        return x.no_such_attribute
    except AttributeError:
        return x.sum()


# Unpacking and conversion.
@case((2,), (3,))
def unpacking_error(n: int):
    try:
        a, b = np.arange(n)
    except ValueError:
        return -1
    return a + b


@case((1e400,), (float("nan"),), (2.5,))
def conversion_error(x: float):
    try:
        return int(x)
    except OverflowError:
        return 10**9
    except ValueError:
        return 0


# UnboundLocalError is an error like others.
@case((1,), (0,))
def unbound_name_is_handled(n: int):
    if n:
        value = 5
    try:
        return value
    except UnboundLocalError:
        return -1


# Shapes that don't fit: ValueError at run time.
@case((X, X), (X, X[:2]), (X, X[:1]))
def shapes_that_do_not_fit(x, y):
    try:
        return x + y
    except ValueError:
        return x


# An array is changed before the error: the change stays.
@case((3,), (1,))
def changes_before_an_error_stay(n: int):
    x = np.zeros(2)
    try:
        for i in range(n):
            x[i] = i + 1.0
    except IndexError:
        x[0] = -1.0
    return x


# An error in a condition, in an index.
@case((0, 1), (1, 0), (1, 1), (9, 1))
def errors_in_expressions(a: int, b: int):
    try:
        if 4 // a > 3 and X[4 // b - 4 + a] > 0.0:
            return "positive"
        return "not"
    except ZeroDivisionError:
        return "zero"
    except IndexError:
        return "index"


# try around a comprehension and a sum.
@case((3,), (5,))
def comprehension_in_a_try(n: int):
    try:
        values = [12 // (4 - i) for i in range(n)]
    except ZeroDivisionError:
        values = []
    return values, len(values)


# The largest of nothing.
@case((0,), (3,))
def largest_or_default(n: int):
    try:
        top = max(np.arange(n))
    except ValueError:
        top = -1
    return top


# `break` and `continue` pass through `finally`.
@case((3,), (0,))
def flow_through_finally(n: int):
    total = 0
    for i in range(10):
        try:
            if i == n:
                continue
            total += 10 // (i - 5)
        except ZeroDivisionError:
            break
        finally:
            total += 100
    return total, i


@case((1.5,), (2,), (np.float32(1.0),), ("text",), (None,), (X,))
def attribute_that_nobody_has(value):
    try:
        return value.no_such_attribute
    except AttributeError as error:
        return str(error)


# Sizes that do not fit, and then do: the first operation raises.
@case((np.ones(3),), (np.ones(1),))
def sizes_that_fit_one_of_two(x):
    y = x - np.zeros(2)
    x = x - np.zeros(3)
    return x, y
