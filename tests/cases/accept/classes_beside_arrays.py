"""Operators on objects of the user's beside arrays: who decides, NumPy or the object."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])


class LeftAlone:
    """NumPy leaves the operators to it."""

    __array_ufunc__ = None
    __hash__ = None

    def __init__(self, v):
        self.v = v

    def __rmul__(self, other):
        return other * self.v

    def __radd__(self, other):
        return self.v + other.sum()

    def __rmatmul__(self, other):
        return other @ other

    def __eq__(self, other):
        return self.v == 2


class First:
    """It comes before arrays."""

    __array_priority__ = 10

    def __init__(self, v):
        self.v = v

    def __sub__(self, other):
        return self.v - other

    def __rsub__(self, other):
        return other - self.v

    def __lt__(self, other):
        return other > self.v

    def __gt__(self, other):
        return other < self.v


class Plain:
    """It has operators for when it stands on the left."""

    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return self.v + other

    def __mul__(self, other):
        return Plain(self.v * 2)


class Index:
    def __init__(self, v):
        self.v = v

    def __index__(self):
        return self.v


# Arrays and NumPy scalars on the left of an object that NumPy leaves alone.
@case((X,))
def left_alone(x):
    two = LeftAlone(2.0)
    return x * two, x + two, x == two, two == x, x @ two, x[0] * two


# ... of one with a higher priority, also where the array would be written to.
@case((X,))
def with_priority(x):
    one = First(1)
    y = x
    y -= one
    return x, y, one - x, x < one, one < x, x[0] - one


# An object on the left has the first word.
@case((X,))
def on_the_left(x):
    return Plain(2) + x, (Plain(2) * x).v, Plain(2) + x[0], Plain(2) + 1


# An object with __index__ is an index of an array, a list, and part of a slice.
@case((X, 2), (X, 7))
def as_an_index(x, n: int):
    x[Index(1)] = 9.0
    return x, x[Index(n)], [10, 20, 30][Index(0)], x[[1, 2]][Index(-1)]
