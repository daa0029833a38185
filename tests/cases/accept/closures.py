"""Nested functions read the variables around them when they are called, not when they are made."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


# A nested function reads a variable of the outer one.
@case((X, 3.0))
def reads_an_outer_variable(x: f64["n"], k: float):
    def scaled(v):
        return v * k

    return scaled(x) + scaled(1.0)


# Late binding: the value at the time of the call counts.
@case((1,), (5,))
def late_binding(n: int):
    def shifted(v):
        return v + n

    before = shifted(10)
    n = n * 100
    return before, shifted(10)


# The variable may be bound after the function is made.
@case((4,))
def bound_after_the_definition(n: int):
    def result():
        return factor * n

    factor = 3
    return result()


# A branch between the definition and the call counts, too.
@case((4, 1), (4, 0))
def late_binding_of_a_branch(n: int, wanted: int):
    factor = 2
    scaled = lambda: factor * n
    if wanted:
        factor = 5
    return scaled()


# Functions made in a loop all see the last value.
@case((10,))
def closures_of_a_loop_see_the_last_value(n: int):
    total = 0
    functions = ()
    for k in (1, 2, 3):
        functions = functions + (lambda v: v * k,)
    for function in functions:
        total += function(n)
    return total


# A default value is evaluated when the function is made: the way to keep a value.
@case((10,))
def defaults_are_evaluated_early(n: int):
    k = 2

    def scaled(v, factor=k):
        return v * factor

    k = 50
    return scaled(n), scaled(n, k)


# The loop variable of a running loop, read by a closure.
@case((4,), (0,))
def closure_reads_the_loop_variable(n: int):
    total = 0
    i = 0

    def square():
        return i * i

    for i in range(n):
        total += square()
    return total


# Functions in functions in functions.
@case((2, 3))
def three_levels(a: int, b: int):
    def outer(x):
        def inner(y):
            return x * 10 + y + a

        return inner(b) + inner(x)

    return outer(7)


# A function that makes functions.
def adder(k):
    def add(x):
        return x + k

    return add


@case((X, 2.0))
def function_that_makes_functions(x: f64["n"], k: float):
    add = adder(k)
    other = adder(k * 10.0)
    return add(x), other(x), add(other(1.0))


# The same name in two functions is two variables.
@case((3,))
def local_variables_are_local(n: int):
    value = 1

    def inner(n):
        value = n * 2
        return value

    return inner(n + 1), value, n


# An inner parameter hides the outer variable.
@case((3,))
def parameter_hides_a_variable(n: int):
    scaled = lambda n: n * 2
    return scaled(n + 1) + n


# A nested function with branches and loops.
@case((12, 18), (7, 0))
def nested_function_with_a_loop(a: int, b: int):
    def gcd(x, y):
        while y:
            x, y = y, x % y
        return x

    return gcd(a, b), gcd(gcd(a, b), 4)


# A nested function with an early return out of a loop.
@case((50,), (2,))
def nested_function_with_early_return(n: int):
    def first_square_above(limit):
        for i in range(100):
            if i * i > limit:
                return i
        return -1

    return first_square_above(n) + first_square_above(-1)


# A closure over an array: it keeps the array, not a copy.
@case((X,))
def closure_over_an_array(x: f64["n"]):
    def get():
        return x

    y = x[1:]
    return get(), y


# Closures in a dict.
@case((2.0,), (-3.0,))
def closures_in_a_dict(x: float):
    operations = {"double": lambda v: v * 2.0, "negate": lambda v: -v}
    return operations["double"](x), operations["negate"](x)


# A function that returns one of two functions.
def chosen(use_sine):
    if use_sine:
        return np.sin
    return lambda v: v * 0.5


@case((X,))
def function_that_returns_a_function(x: f64["n"]):
    return chosen(True)(x), chosen(False)(x)


# Module-level closures: the cell keeps its value.
triple = adder(3.0)


@case((X,))
def closure_made_at_module_level(x: f64["n"]):
    return triple(x) - triple(0.0)


# Currying.
@case((2, 3, 4))
def curried_lambdas(a: int, b: int, c: int):
    combine = lambda x: lambda y: lambda z: x * 100 + y * 10 + z
    return combine(a)(b)(c)


# Functions that call each other several times, in many levels: each is compiled a few times only.
@case((3,), (2,))
def levels_of_nested_functions(n: int):
    calls = 0

    def first(k):
        nonlocal calls
        calls += 1
        return k + n

    def second(k):
        return first(k) + first(k + 1) if k % 2 else first(k - 1)

    def third(k):
        return second(k) + second(k + 1) if k % 3 else second(k - 1)

    def fourth(k):
        return third(k) + third(k + 1) if k % 2 else third(k - 1)

    def fifth(k):
        return fourth(k) + fourth(k + 1) if k % 3 else fourth(k - 1)

    return fifth(n) + fifth(n + 1), calls


def counted(function):
    calls = 0

    def inner(value):
        nonlocal calls
        calls += 1
        return function(value) + calls

    return inner


# What a closure rebinds in a frame whose call has ended is kept where paths meet.
@case((0,), (2,))
def counter_called_on_one_path(n: int):
    weighed = counted(lambda v: v + n)
    total = weighed(1) if n else 5
    for i in range(4):
        if i > n:
            total += weighed(i)
            continue
        if i == n:
            total -= weighed(2)
    return weighed(total)


# ... in a `try`, its handler and its `finally`.
@case((0,), (1,), (2,))
def counter_called_in_a_try(n: int):
    weighed = counted(lambda v: v + n)
    total = 0
    try:
        try:
            total = weighed(6) // n
        except ZeroDivisionError:
            total = weighed(7)
        else:
            total += weighed(8) // (n - 1)
    except ZeroDivisionError:
        total -= 1
    finally:
        total += weighed(0)
    return weighed(total)
