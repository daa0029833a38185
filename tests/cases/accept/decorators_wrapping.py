"""Decorators: with `wraps`, with arguments, stacked, on nested functions and methods."""

from __future__ import annotations

import functools
from functools import wraps

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


def doubled(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return wrapper


def unwrapped(function):
    def wrapper(x):
        return function(x) + 1000

    return wrapper


def scaled(factor, *, shift=0):
    def decorate(function):
        @wraps(function)
        def wrapper(*args):
            return function(*args) * factor + shift

        return wrapper

    return decorate


def traced(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        print("enter", function.__name__, args, kwargs)
        result = function(*args, **kwargs)
        print("leave", function.__name__, result)
        return result

    return wrapper


def checked(function):
    @functools.wraps(function)
    def wrapper(x):
        if x < 0:
            raise ValueError(f"{function.__name__} of {x}")
        return function(x)

    return wrapper


def safe(default):
    def decorate(function):
        @wraps(function)
        def wrapper(*args):
            try:
                return function(*args)
            except (ZeroDivisionError, ValueError):
                return default

        return wrapper

    return decorate


def optional(function=None, *, times=2):
    """Usable with and without parentheses."""
    if function is None:
        return lambda f: optional(f, times=times)

    @wraps(function)
    def wrapper(x):
        for _ in range(times):
            x = function(x)
        return x

    return wrapper


def identity(function):
    return function


class Repeated:
    """A decorator that is a class."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, x):
        return self.function(self.function(x))


@doubled
def plus_one(x):
    return x + 1


@doubled
@scaled(10, shift=3)
@unwrapped
def stacked(x):
    return x


@traced
def traced_sum(a, b=2):
    return a + b


@checked
def root(x):
    return x**0.5


@safe(-1.0)
def inverse(x, y):
    return y / x


@optional
def twice_squared(x):
    return x * x


@optional(times=3)
def three_times_more(x):
    return x + 1


@Repeated
def repeated_triple(x):
    return x * 3


# A wrapper with `wraps` is called.
@case((3, X), (0, X[:0]))
def wrapped_function(n: int, x: f64["n"]):
    return plus_one(n), plus_one(x), plus_one(x=n)


# Stacked decorators, from the inside out.
@case((1,), (0,))
def stacked_decorators(n: int):
    return stacked(n)


# A decorator that prints around the call.
@case((1,), (5,))
def tracing_decorator(n: int):
    return traced_sum(n) + traced_sum(n, b=n)


# A decorator that checks.
@case((4.0,), (-4.0,))
def checking_decorator(x: float):
    return root(x)


# A decorator that handles errors.
@case((2.0,), (0.0,))
def handling_decorator(x: float):
    return inverse(x, 3.0) + inverse(1.0, x)


# With and without parentheses.
@case((3,))
def optional_parentheses(n: int):
    return twice_squared(n), three_times_more(n)


# A class as a decorator.
@case((2, X))
def decorator_class(n: int, x: f64["n"]):
    return repeated_triple(n), repeated_triple(x)


# A nested function is decorated.
@case((3,))
def nested_function_is_decorated(n: int):
    @doubled
    def shifted(x):
        return x + n

    return shifted(1), shifted(n)


# ... with arguments of run-time values.
@case((3, 2.5))
def decorator_with_run_time_arguments(n: int, k: float):
    @scaled(k, shift=n)
    @identity
    def shifted(x):
        return x + n

    return shifted(1)


# ... by a decorator that is nested, too.
@case((3,), (-3,))
def nested_decorator(n: int):
    calls = 0

    def counted(function):
        @wraps(function)
        def wrapper(*args):
            nonlocal calls
            calls += 1
            return function(*args)

        return wrapper

    @counted
    def square(x):
        return x * x

    @counted
    def cube(x):
        return square(x) * x

    return square(n), cube(n), calls


# The program itself is wrapped.
@case((3,), (-1,))
@doubled
def wrapped_program(n: int):
    return n + 1


# The program, wrapped by several.
@case((3,), (0,))
@scaled(2)
@safe(7)
def program_under_two_decorators(n: int):
    return 10 // n


# A decorator that only writes something down.
REGISTRY = {}


def registered(name):
    def decorate(function):
        REGISTRY[name] = function
        return function

    return decorate


@registered("add")
def add(a, b):
    return a + b


@registered("mul")
def mul(a, b):
    return a * b


@case((3, 4))
def functions_of_a_registry(a: int, b: int):
    return [function(a, b) for function in REGISTRY.values()], REGISTRY["mul"](a, a)


# Names of wrapped functions.
@case((1,))
def names_of_wrapped_functions(n: int):
    return plus_one.__name__, stacked.__name__, plus_one.__wrapped__(n)


# The function below is reached through `__wrapped__`.
@case((5,))
def below_the_wrapper(n: int):
    return plus_one(n) - plus_one.__wrapped__(n) * 2


# A wrapper that changes the arguments.
def swapped(function):
    @wraps(function)
    def wrapper(a, b, *rest, **options):
        return function(b, a, *rest, **options)

    return wrapper


@swapped
def difference(a, b, *, scale=1):
    return (a - b) * scale


@case((10, 3))
def arguments_are_swapped(a: int, b: int):
    return difference(a, b), difference(a, b, scale=2), difference(*(a, b), **{"scale": a})


# A wrapper that calls more than once, or not at all.
def retried(times):
    def decorate(function):
        @wraps(function)
        def wrapper(x):
            for attempt in range(times):
                try:
                    return attempt, function(x + attempt)
                except ZeroDivisionError:
                    pass
            return times, None

        return wrapper

    return decorate


@retried(3)
def fragile(x):
    return 12 // x


@case((0,), (-1,), (4,), (-5,))
def retrying_decorator(n: int):
    return fragile(n)


def disabled(function):
    @wraps(function)
    def wrapper(*args):
        return None

    return wrapper


@disabled
def never_called(x):
    return x / 0


@case((1,))
def function_that_is_never_called(n: int):
    return never_called(n), n


# A wrapper that remembers.
def remembering(function):
    known = {}

    @wraps(function)
    def wrapper(key, value):
        if key not in known:
            known[key] = function(value)
        return known[key]

    return wrapper


@case((3, 4))
def remembering_decorator(a: int, b: int):
    calls = []

    @remembering
    def square(x):
        calls.append(x)
        return x * x

    return square("a", a), square("a", b), square("b", b), calls
