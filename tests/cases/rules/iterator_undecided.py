"""SPY210: which iterator it is depends on the path."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def one_of_two(x: f64["n"], up: bool):
    items = iter(x) if up else reversed(x)  # error: SPY210
    first = next(items)
    return first, sum(items)


@staticpy.jit
def of_branches(x: f64["n"], up: bool):
    if up:
        items = iter(x)
    else:
        items = reversed(x)
    return next(items)  # error: SPY210


@staticpy.jit
def gone_through(x: f64["n"], up: bool):
    items = reversed(x)
    if up:
        items = iter(x)
    return next(items)  # error: SPY210


@staticpy.jit
def of_one_array(x: f64["n"], up: bool):
    items = iter(x if up else x[::-1])
    first = next(items)
    return first, sum(items)


@staticpy.jit
def in_each_branch(x: f64["n"], up: bool):
    if up:
        return next(iter(x))
    return next(reversed(x))
