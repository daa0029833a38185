"""SPY624: what can't be given back."""

import staticpy


@staticpy.jit
def module(x: float):
    return staticpy, x  # error: SPY624


@staticpy.jit
def nested_function(x: float):
    def inner(y):
        return y + x

    return inner  # error: SPY624


@staticpy.jit
def builtin_method(x: float):
    return [x].append  # error: SPY624


@staticpy.jit
def tuple_of_values(x: float):
    return x, None, "text", [x]


@staticpy.jit
def its_result(x: float):
    def inner(y):
        return y + x

    return inner(x)
