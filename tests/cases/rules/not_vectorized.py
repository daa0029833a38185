"""SPY705: what can't be run for all examples."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def texts(x: f64["n"]):
    return staticpy.vmap(lambda row: str(row))(x)  # error: SPY705


@staticpy.jit
def shown(x: f64["n"]):
    return staticpy.vmap(lambda row: repr(row))(x)  # error: SPY705


@staticpy.jit
def formatted(x: f64["n"]):
    return staticpy.vmap(lambda row: f"{row}")(x)  # error: SPY705


@staticpy.jit
def numbers(x: f64["n"]):
    return staticpy.vmap(lambda row: row * 2)(x)


@staticpy.jit
def rows(x: f64["m", "n"]):
    return staticpy.vmap(lambda row: row.sum())(x)
