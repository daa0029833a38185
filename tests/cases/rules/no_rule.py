"""SPY709: gradients through calls of functions for which there is no rule."""

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import staticpy
from staticpy import f64


@staticpy.jit
@staticpy.grad
def after_a_write(x: f64[3], out: f64[3]):
    out[0] = 1.0
    return as_strided(x, (2, 2), (8, 8)).sum()  # error: SPY709


@staticpy.jit
@staticpy.value_and_grad
def with_its_value(x: f64[4], out: f64[4]):
    out[:] = 0.0
    windows = as_strided(x, (3, 2), (8, 8))  # error: SPY709
    return (windows * windows).sum()


@staticpy.jit
def in_a_function_inside(x: f64[3], out: f64[3]):
    def total(y):
        out[1] += 1.0
        return np.exp(as_strided(y, (2, 2), (8, 8))).sum()  # error: SPY709

    return staticpy.grad(total)(x)


@staticpy.jit
@staticpy.grad
def without_a_write(x: f64[3]):
    return as_strided(x, (2, 2), (8, 8)).sum()


@staticpy.jit
@staticpy.grad
def by_a_function_with_a_rule(x: f64[3], out: f64[3]):
    out[0] = 1.0
    return sliding_window_view(x, 2).sum()


@staticpy.jit
@staticpy.grad
def of_what_is_no_variable(x: f64[3], out: f64[3]):
    out[0] = 1.0
    return x.sum() + as_strided(out, (2, 2), (8, 8)).sum()
