"""SPY802: what a derivative does not go through."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def rounded(x: float):
    return x * round(x)  # error: SPY802


by_rounded = staticpy.grad(rounded)


@staticpy.jit
def as_int(x: float):
    return x * int(x)  # error: SPY802


by_int = staticpy.grad(as_int)


@staticpy.jit
def floored(x: float):
    return x * (x // 1) + int(x + 1)  # error: SPY802


by_floored = staticpy.grad(floored)


@staticpy.jit
def not_differentiated(x: float):
    return x * round(x)


@staticpy.jit
def stopped(x: float):
    return x * round(staticpy.stop_gradient(x))


by_stopped = staticpy.grad(stopped)


def plain(x: float):
    return x * int(x)  # error: SPY802


of_plain = staticpy.jit(staticpy.grad(plain))


def by_name(x: float):
    return x * round(x)  # error: SPY802


slope_by_name = staticpy.value_and_grad(by_name, argnums=0)
of_a_name = staticpy.jit(slope_by_name)


def under_vmap(x: float):
    return x * int(x)  # error: SPY802


of_rows = staticpy.jit(staticpy.vmap(staticpy.grad(under_vmap)))


def on_a_tape(x: float):
    return x * int(x)


by_tape = staticpy.grad(on_a_tape)


def not_of_a_derivative(x: float):
    return x * int(x)


of_rows_only = staticpy.jit(staticpy.vmap(not_of_a_derivative))
