"""Exceptions of classes of one's own: what their constructors do, and what handlers read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.support.cases import case

X = np.array([1.0, 0.25, 3.0])


class ModelError(Exception):
    """The base of the others."""

    def describe(self):
        return "model " + str(self)


class Plain(ModelError):
    """Keeps nothing."""


class LimitError(ModelError):
    """Keeps what it was given."""

    count = 3

    def __init__(self, value, limit=2.0, *, name="n"):
        super().__init__(f"{value} is above {limit}")
        self.value = value
        self.limit = limit
        self.name = name
        self.items = [value, limit]

    def excess(self):
        return self.value - self.limit

    @property
    def double(self):
        return self.value * 2

    def again(self):
        raise self

    def show(self):
        return f"{self}", str(self), repr(self), self.args, type(self).__name__


class Deep(LimitError):
    """Says more."""

    def __init__(self, value):
        super().__init__(value, 1.0)
        self.deep = value * 2

    def excess(self):
        return super().excess() + 100


class Pair(ValueError):
    """Leaves its arguments to Python, and shows itself."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __str__(self):
        return f"<{self.a}|{self.b}>"


# Attributes, methods, properties and what Python keeps: by the class that was raised.
@case((1.5, 0), (1.5, 1), (1.5, 2), (1.5, 3))
def by_the_class_that_was_raised(x, k):
    try:
        if k == 1:
            raise LimitError(x, name="q")
        if k == 2:
            raise Deep(x)
        if k == 3:
            raise Plain(x, 2)
        return "none"
    except LimitError as e:
        return e.excess(), e.value + 1, e.double, e.count, e.name, str(e), e.args, e.describe()
    except ModelError as e:
        return e.describe(), e.args


# A handler may write, too.
@case((1.5, 0), (1.5, 1))
def a_handler_writes(x, k):
    try:
        if k:
            raise Deep(x)
    except ModelError as e:
        e.value += 1
        e.extra = 5
        return e.value, e.deep, e.extra, e.show()


@case((1.5, 0), (1.5, 1))
def raises_itself_again(x, k):
    try:
        try:
            raise Deep(x)
        except LimitError as e:
            if k:
                e.again()
            return e.value
    except ModelError as f:
        return f.value, f.deep


@case((1, 2))
def shows_itself(x, k):
    try:
        raise Pair(x, k)
    except Pair as e:
        return str(e), e.a - e.b, e.args


@case((1, 2))
def leaves_the_function(x, k):
    raise Pair(x, k)


# One of the classes has no such attribute.
@case((1.5, 1), (1.5, 0))
def an_attribute_that_one_class_lacks(x, k):
    try:
        if k:
            raise LimitError(x, x)
        raise Plain(3)
    except ModelError as e:
        return e.value


@case((X, 7), (X, 0), (X, 1))
def in_a_loop(x, k):
    total = 0.0
    for i in range(k):
        try:
            if i % 2:
                raise LimitError(x[i % len(x)], 0.5)
            if i % 3 == 0:
                raise Deep(float(i))
            total += 1
        except LimitError as e:
            total += e.excess()
    return total


@case((1.5,))
def as_a_cause(x):
    try:
        try:
            raise LimitError(x, 1)
        except LimitError as e:
            raise Pair(e.value, 2) from e
    except Pair as g:
        return g.a, g.b, str(g.__cause__), g.__cause__.args


# Made, and raised later or never.
@case((2.5, 0), (2.5, 1))
def made_before_it_is_raised(x, k):
    e = LimitError(x, 1.0)
    e.more = 3
    if k:
        raise e
    return e.limit, e.excess(), e.more, str(e)


# One that comes from outside.
@case((LimitError(1.0, 2.0), 0), (LimitError(1.0, 2.0), 1), (Plain("a"), 0))
def from_outside(error, k):
    try:
        if k:
            raise LimitError(2.0, 1.0)
        raise error
    except LimitError as e:
        return e.limit + 1


@dataclass
class Coded(Exception):
    """A dataclass: Python writes its constructor."""

    code: int
    text: str = "t"


@case((0,), (3,))
def made_by_a_dataclass(n):
    try:
        raise Coded(n)
    except Coded as e:
        return e.code + 1, e.text, e.args


class Counted(ValueError):
    """Takes any arguments."""

    total = 0

    def __init__(self, *args, **options):
        super().__init__(*args)
        self.count = len(args) + len(options)


@case((0,), (3,))
def takes_any_arguments(n):
    try:
        raise Counted(n, 2, k=3)
    except Counted as e:
        return e.count, e.args, e.total


# An attribute of several types, by the round.
@case((1,), (2,), (3,), (4,), (0,))
def keeps_one_thing_or_another(n):
    last = None
    for i in range(n):
        try:
            if i == 1:
                raise Pair(i, 0)
            if i == 2:
                raise Pair(i * 0.5, 0)
            if i == 3:
                raise Pair("text", 0)
        except Pair as e:
            last = e.a
    return last


# Caught, kept, and raised again in a later round.
@case((5,), (2,), (0,))
def raised_again_later(n):
    kept = None
    said = []
    for i in range(n):
        try:
            if kept is not None and i == 3:
                raise kept
            if i == 1:
                raise Deep(i)
        except ModelError as e:
            said.append(str(e))
            kept = e
    return said


# In a recursion.
@case((0,), (5,))
def out_of_a_recursion(n):
    def deeper(k):
        if k > 3:
            raise LimitError(k, 1)
        return deeper(k + 1)

    try:
        return deeper(n)
    except LimitError as e:
        return e.value, e.excess()


def with_count(count):
    """An exception with an attribute that only its maker knows of."""
    error = LimitError(1.0, 2.0)
    if count:
        error.count = count
    return error


@case((with_count(0),))
def an_attribute_of_the_class_from_outside(error):
    try:
        raise error
    except LimitError as e:
        return str(e), e.args
