"""Decorators on methods, of the library, and as expressions."""

from __future__ import annotations

import functools
from functools import wraps

from tests.support.cases import call, case


def doubled(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return wrapper


def checked(function):
    @functools.wraps(function)
    def wrapper(x):
        if x < 0:
            raise ValueError(function.__name__)
        return function(x)

    return wrapper


def identity(function):
    return function


# Methods are decorated: plain, class and static ones, properties.
class Gauge:
    scale = 10

    def __init__(self, value):
        self.value = value

    @doubled
    def shifted(self, k):
        return self.value + k

    @property
    def half(self):
        return self.value / 2

    @staticmethod
    @doubled
    def constant():
        return 21

    @classmethod
    def of(cls, value):
        return cls(value * cls.scale)

    @checked
    def __neg__(self):
        return -self.value

    def __lt__(self, other):
        return self.value < other


@case((3, 2.5))
def decorated_methods(n: int, x: float):
    gauge = Gauge(n)
    return gauge.shifted(x), gauge.half, Gauge.constant(), Gauge.of(x).shifted(0), -gauge


# functools.cache and singledispatch are decorators of the library.
@functools.singledispatch
def size_of(value):
    return 0


@size_of.register
def _(value: list):
    return len(value)


@size_of.register(tuple)
def _(value):
    return sum(size_of(item) for item in value)


@case((1,))
def single_dispatch(n: int):
    return size_of(n), size_of([n, n]), size_of(([n], n, [n, n]))


# A decorator from a lambda, an expression as a decorator.
@(lambda f: lambda x: f(x) - 1)
def by_lambda(x):
    return x * 10


DECORATORS = {"double": doubled, "none": identity}


@DECORATORS["double"]
def by_table(x):
    return x + 5


@case((2,))
def decorators_that_are_expressions(n: int):
    return by_lambda(n), by_table(n)


# Defaults and keywords of a wrapped program.
@case(call(1), call(1, 5), call(b=7, a=2))
def keywords_through_a_wrapper(a, b=3):
    @doubled
    def inner(x, y=b):
        return x * 10 + y

    return inner(a), inner(a, y=0), inner(x=b)
