"""SPY628: what holds itself."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_list(n: int):
    levels = [n]
    levels.append(levels)  # error: SPY628
    return levels


@staticpy.jit
def a_dict(n: int):
    levels = {"n": n}
    levels["self"] = levels  # error: SPY628
    return levels


@staticpy.jit
def through_another(n: int):
    inner = [n]
    outer = [inner]
    inner.append(outer)  # error: SPY628
    return outer


@staticpy.jit
def a_copy(n: int):
    levels = [n]
    levels.append(n)
    return list(levels)


@staticpy.jit
def one_twice(n: int):
    inner = [n]
    return [inner, inner]
