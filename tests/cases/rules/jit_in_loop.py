"""SPY803: functions that are compiled anew in each round."""

import numpy as np

import staticpy
from staticpy import f64


def step(x: float):
    return x / 2


def repeated(x):
    for _ in range(100):
        x = staticpy.jit(step)(x)  # error: SPY803
    return x


def while_it_is_large(x):
    while x > 1:
        x = staticpy.jit(step)(x)  # error: SPY803
    return x


def in_two_loops(x):
    for _ in range(10):
        for _ in range(10):
            x = staticpy.jit(step)(x)  # error: SPY803
    return x


def before(x):
    compiled = staticpy.jit(step)
    for _ in range(100):
        x = compiled(x)
    return x


def of_another_each_time(functions, x):
    for function in functions:
        x = staticpy.jit(function)(x)
    return x


def of_a_lambda(x):
    for _ in range(10):
        x = staticpy.jit(lambda y: y / 2)(x)  # error: SPY803
    return x


def of_a_derivative(x):
    for _ in range(10):
        x = staticpy.jit(staticpy.grad(step))(x)  # error: SPY803
    return x


def of_a_lambda_that_is_another(x):
    for n in range(10):
        x = staticpy.jit(lambda y: y / n)(x)
    return x


def of_what_is_made_elsewhere(make, x):
    for _ in range(10):
        x = staticpy.jit(make())(x)
    return x
