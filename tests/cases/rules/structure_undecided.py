"""SPY632: what is made of other parts on another path."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_dict(x: float, flag: int):
    steps = {"scale": lambda y: y * 2}
    if flag > 0:
        steps["shift"] = lambda y: y + 1
    for step in steps.values():  # error: SPY632
        x = step(x)
    return x


@staticpy.jit
def a_list(x: float, flag: int):
    steps = [lambda y: y * 2]
    if flag > 0:
        steps.append(lambda y: y + 1)
    for step in steps:  # error: SPY632
        x = step(x)
    return x


@staticpy.jit
def its_length(x: float, flag: int):
    steps = [lambda y: y * 2]
    if flag > 0:
        steps.append(lambda y: y + 1)
    return len(steps) + x  # error: SPY632


@staticpy.jit
def one_item(x: float, flag: int):
    steps = {"scale": lambda y: y * 2}
    steps["shift"] = lambda y: y + 1 if flag > 0 else y
    for step in steps.values():
        x = step(x)
    return x


@staticpy.jit
def numbers(x: float, flag: int):
    steps = [2.0]
    if flag > 0:
        steps.append(x)
    return len(steps) + sum(steps)
