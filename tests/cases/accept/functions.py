"""Calls of other functions: keyword arguments, defaults, keyword-only ones, lambdas, globals."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
SCALE = 3
OFFSETS = np.array([1.0, 2.0, 3.0])
SETTINGS = {"rate": 0.5, "steps": 3}


def affine(x, scale=2.0, shift=0.0):
    """A line."""
    return x * scale + shift


def clamp(x, *, low, high=1.0):
    return np.minimum(np.maximum(x, low), high)


def both(x, y):
    return x + y, x - y


def positional_only(x, y, /, z):
    return x * 100 + y * 10 + z


def no_result(x):
    x + 1


def double(function):
    def wrapper(x):
        return function(x) * 2

    return wrapper


@double
def one_more(x):
    return x + 1


# A plain call.
@case((X,), (X[:0],))
def calls_a_function(x: f64["n"]):
    return affine(x)


# Keyword arguments, in any order.
@case(
    (X, 3.0),
)
def keyword_arguments(x: f64["n"], k: float):
    return affine(shift=k, x=x), affine(x, shift=k), affine(x, k)


# Keyword-only parameters, with a default.
@case((X,))
def keyword_only_parameters(x: f64["n"]):
    return clamp(x, low=0.0), clamp(x, low=-0.5, high=0.75)


# Parameters before `/`.
@case((1, 2, 3))
def positional_only_parameters(a: int, b: int, c: int):
    return positional_only(a, b, c), positional_only(c, b, z=a)


# Arguments are evaluated from left to right; an error comes from the first that has one.
@case((0, 1), (1, 0), (2, 3))
def order_of_arguments(a: int, b: int):
    return affine(6 // a, 12 / b, a % b)


# A function gives several results.
@case((X, X * 2.0))
def several_results(x: f64["n"], y: f64["n"]):
    total, difference = both(x, y)
    return difference, total, both(1, 2)


# A function without a return gives None.
@case((3,))
def result_is_none(n: int):
    return no_result(n), n


# Calls in calls, and a function called twice.
@case((X,))
def nested_calls(x: f64["n"]):
    return affine(affine(x, 3.0), 0.5, affine(1.0))


# One function, called with values of different types.
@case((2, 2.5, X))
def called_with_different_types(n: int, y: float, x: f64["n"]):
    return affine(n, 3, 1), affine(y), affine(x)


# A function as a value: bound to a name, in a tuple, as an argument.
def apply(function, value):
    return function(value)


@case((X,))
def functions_as_arguments(x: f64["n"]):
    return apply(np.tanh, x), apply(affine, x), apply(lambda v: v - 1.0, x)


@case((5,))
def functions_in_a_tuple(n: int):
    result = 0
    for function in (one_more, abs, affine):
        result = result * 10 + int(function(-n))
    return result


# Another name for a function.
@case((X,))
def alias_of_a_function(x: f64["n"]):
    f = np.exp if x.ndim == 1 else np.log
    return f(x)


# A wrapped function runs its wrapper.
@case((5,), (0,))
def decorated_function(n: int):
    return one_more(n)


# Defaults of the program itself.
@case(call(X), call(X, 3.0), call(X, shift=1.0), call(shift=-1.0, x=X))
def defaults_of_the_entry(x, scale=2.0, shift=0.5):
    return x * scale + shift


# Keyword-only parameters of the program itself.
@case(call(X, low=0.0), call(X, low=-1.0, high=0.25))
def keyword_only_parameters_of_the_entry(x, *, low, high=1.0):
    return np.clip(x, low, high)


# A default of None, told apart while compiling.
@case(call(X), call(X, OFFSETS))
def optional_argument(x, offset=None):
    if offset is None:
        return x * 2.0
    return x + offset


# Module globals: a number, an array, a dict.
@case((X,))
def reads_globals(x: f64["n"]):
    y = x * SCALE + OFFSETS
    for _ in range(SETTINGS["steps"]):
        y = y * SETTINGS["rate"]
    return y


# A docstring and a bare expression do nothing.
@case((4,))
def docstring_does_nothing(n: int):
    """This is only read by people."""
    n + 1
    "neither is this"
    return n


# Two lambdas on one line are told apart.
@case((7,))
def two_lambdas_on_a_line(n: int):
    up, down = lambda v: v + 1, lambda v: v - 1
    return up(n), down(n), up(down(n))


# A lambda with a default.
@case((7,))
def lambda_with_a_default(n: int):
    power = lambda v, k=3: v * k
    return power(n), power(n, 2), power(k=5, v=n)


# A lambda of a conditional expression.
@case((4,), (-4,))
def lambda_with_a_condition(n: int):
    magnitude = lambda v: v if v >= 0 else -v
    return magnitude(n), magnitude(-n - 1)


# A call inside of a loop and of a condition.
@case((10,), (0,))
def calls_in_a_loop(n: int):
    total = 0
    i = 0
    while affine(i, 1, 1) <= n:
        total = affine(total, 2, i)
        i += 1
    return total


# An error inside of a called function comes out.
def ratio(a, b):
    return a / b


@case((1, 0), (1, 2))
def error_in_a_called_function(a: int, b: int):
    return ratio(a + 1, b) + 1.0


# A function handed through two others.
def twice(function, x):
    return function(function(x))


def compose(first, second, x):
    return second(first(x))


@case((X,))
def functions_through_functions(x: f64["n"]):
    return compose(lambda v: twice(np.sin, v), lambda v: twice(np.cos, v), x)


# The names of parameters and globals don't get in each other's way.
@case((X, 2.0))
def parameter_hides_a_global(x: f64["n"], SCALE: float):
    affine = x + SCALE
    return affine * 2.0
