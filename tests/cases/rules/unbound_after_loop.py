"""SPY807, in preview: variables that only a loop binds, which may have no round."""

import staticpy
from staticpy import f64


@staticpy.jit
def the_variable_of_the_loop(x: float, steps: int):
    for step in range(steps):
        x = x / 2
    return x, step  # error: SPY807


@staticpy.jit
def of_the_body(x: f64["n"]):
    for item in x:
        square = item * item
    return square  # error: SPY807


@staticpy.jit
def of_a_while_loop(n: int):
    while n > 10:
        last = n
        n //= 2
    return last  # error: SPY807


@staticpy.jit
def with_a_round_for_sure(x: float):
    for step in range(1, 4):
        x = x / 2
    for scale in (1.0, 2.0):
        x = x * scale
    return x, step, scale


@staticpy.jit
def tested_before(x: f64["n"], steps: int):
    if len(x) == 0 or steps < 1:
        return 0.0
    for item in x:
        square = item * item
    for step in range(steps):
        square = square / 2
    return square + item + step


@staticpy.jit
def read_in_a_loop_through_the_same(x: f64["n"]):
    total = 0.0
    for item in x:
        last = item
    for item in x:
        total += item * last
    return total


@staticpy.jit
def by_a_flag(x: float):
    is_done = False
    while not is_done:
        last = x
        x = x / 2
        is_done = x < 1
    return last


@staticpy.jit
def otherwise_in_the_else(x: f64["n"]):
    for item in x:
        if item > 0:
            break
    else:
        item = 0.0
    return item
