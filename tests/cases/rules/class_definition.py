"""SPY104: a class in a compiled function."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def empty(x: float):
    class A:  # error: SPY104
        pass

    return x


@staticpy.jit
def with_a_base(x: float):
    class A(ValueError):  # error: SPY104
        pass

    return x


@staticpy.jit
def in_a_branch(x: float):
    if x > 0:

        class A:  # error: SPY104
            rate = 2.0

        return x * A.rate
    return x


@staticpy.jit
def in_a_nested_function(x: float):
    def g():
        class A:  # error: SPY104
            pass

        return x

    return g()


class Outside:
    rate = 2.0


@staticpy.jit
def of_the_module(x: float):
    return x * 2.0


@staticpy.jit
def a_function_in_its_place(x: float):
    def rate():
        return 2.0

    return x * rate()
