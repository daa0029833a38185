"""SPY806: variables that are read where a path leads that has not bound them."""

import numpy as np
import staticpy
from staticpy import f64


@staticpy.jit
def in_one_branch(x: float, is_small: bool):
    if is_small:
        rate = 0.1
    return rate * x  # error: SPY806


@staticpy.jit
def in_two_of_three(x: float):
    if x > 1:
        side = 1
    elif x < -1:
        side = -1
    return side  # error: SPY806


@staticpy.jit
def in_a_round_of_a_loop(x: f64["n"]):
    for i in range(3):
        if x[i] > 0:
            found = i
    return found  # error: SPY806


@staticpy.jit
def before_an_exception(n: int):
    try:
        scale = 100 // n
    except ZeroDivisionError:
        n = 1
    return scale * n  # error: SPY806


@staticpy.jit
def behind_and(n: int):
    if n > 0 and (half := n // 2) > 1:
        return half
    return half  # error: SPY806


@staticpy.jit
def in_one_case(n: int):
    match n:
        case 0:
            name = 1.0
        case 1:
            name = 2.0
    return name  # error: SPY806


@staticpy.jit
def of_the_last_round(x: f64["n"]):
    total = 0.0
    for i in range(3):
        if i > 1:
            total += previous * x[i]  # error: SPY806
        if x[i] > 0:
            previous = x[i]
    return total


@staticpy.jit
def guarded_by_the_same_condition(x: float, is_small: bool):
    if is_small:
        rate = 0.1
    if is_small and x > 0:
        x = x * rate
    return x if not is_small else x + rate


@staticpy.jit
def guarded_by_the_opposite(n: int):
    if n > 0:
        rest = n - 1
    if n <= 0:
        return 0
    return rest


@staticpy.jit
def guarded_by_a_flag(x: f64["n"]):
    is_found = False
    for i in range(3):
        if x[i] > 0:
            where, is_found = i, True
            break
    return where if is_found else -1


@staticpy.jit
def guarded_by_none(x: f64["n"]):
    best = None
    for i in range(3):
        if x[i] > 0:
            best = i
            value = x[i]
    return 0.0 if best is None else value


@staticpy.jit
def bound_where_it_is_not_none(x: f64["n"], n: int):
    limit = n if n > 0 else None
    if limit is None:
        total = 0.0
    else:
        mean = x[0] / n
        total = x[1]
    return total - mean if limit else total


@staticpy.jit
def bound_in_the_round_before(x: f64["n"]):
    total = 0.0
    for i in range(3):
        if i > 0:
            total += previous * x[i]
        previous = x[i]
    return total


@staticpy.jit
def on_each_path_that_goes_on(x: float):
    if x > 0:
        root = np.sqrt(x)
    elif x == 0:
        raise ValueError("zero")
    else:
        return 0.0
    return root


@staticpy.jit
def by_a_break(x: f64["n"]):
    for i in range(3):
        if x[i] > 0:
            first = i
            break
    else:
        first = -1
    return first


@staticpy.jit
def in_an_endless_loop(x: float):
    while True:
        x = x / 2
        if x < 1:
            last = x
            break
    return last
