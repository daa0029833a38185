"""Operators that raise TypeError whatever their operands hold, where a handler catches that."""

from __future__ import annotations

import contextlib

import numpy as np

from tests.support.cases import case


class Account:
    """Adds what it is given."""

    def __init__(self, balance):
        self.balance = balance

    def __iadd__(self, amount):
        self.balance = self.balance + amount
        return self

    def __add__(self, other):
        return Account(self.balance + other.balance)


READ_ONLY = np.arange(3)
READ_ONLY.setflags(write=False)

PAIRS = case(
    (1, "a"),
    (1.5, None),
    ("a", "b"),
    ([1], (2,)),
    ([1], [2]),
    (np.arange(3), "a"),
    (np.arange(3), 0.5),
    (np.arange(3), np.ones(4)),
    (1j, 2),
    ({}, {1: 2}),
    (np.float32(1), None),
    (True, 1j),
    ((1,), 2),
    (np.array([True]), np.array([True])),
    (READ_ONLY, 0.5),
)


# Sums, comparisons and signs.
@PAIRS
def operators(a, b):
    found = []
    try:
        found.append(a + b)
    except (TypeError, ValueError) as error:
        found.append((type(error).__name__, str(error), len(error.args)))
    try:
        found.append(a < b)
    except (TypeError, ValueError) as error:
        found.append((type(error).__name__, str(error)))
    try:
        found.append(-a)
    except TypeError as error:
        found.append(str(error))
    return found


# In place: what an array can't hold.
@PAIRS
def augmented(a, b):
    found = []
    try:
        c = a
        c -= b
        found.append(c)
    except (TypeError, ValueError) as error:
        found.append((type(error).__name__, str(error)))
    try:
        c = a
        c /= b
        found.append(c)
    except (TypeError, ValueError) as error:
        found.append((type(error).__name__, str(error)))
    return found


# In the methods of a class.
@PAIRS
def in_methods(a, b):
    found = []
    try:
        account = Account(a)
        account += b
        found.append(account.balance)
    except (TypeError, ValueError) as error:
        found.append(str(error))
    try:
        account = Account(a) + Account(b)
        found.append(account.balance)
    except (TypeError, ValueError) as error:
        found.append(str(error))
    return found


def add(a, b):
    return a + b


# In a function that is called; 'else' and 'finally' as ever.
@case((1, "a"), (1, 2))
def in_a_call(a, b):
    log = []
    try:
        log.append("in")
        result = add(a, b)
        log.append("out")
    except Exception as error:
        result = repr(error)
    else:
        log.append("else")
    finally:
        log.append("finally")
    return result, log


# Suppressed.
@case((1, "a"), (1, 2))
def suppressed(a, b):
    with contextlib.suppress(TypeError):
        return a + b
    return "none"


# What came before in the body has happened.
@case((3, "a"), (0, "a"), (2, 1))
def in_a_loop(n: int, value):
    total = failures = 0
    for i in range(n):
        try:
            total += i
            total = total + value
        except TypeError:
            failures += 1
    return total, failures


# Items of several types.
@case(([1, "a", 2.5, None],), ([],), (["x"],))
def items_of_all_types(items):
    total, bad = 0, []
    for place, item in enumerate(items):
        try:
            total += item
        except TypeError as error:
            bad.append((place, str(error)))
    return total, bad
