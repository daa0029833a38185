"""SPY504: what a graph must know while it is made."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def keepdims(x: f64["m", "n"], keep: bool):
    return np.sum(x, axis=0, keepdims=keep)  # error: SPY504


@staticpy.jit
def of_a_mean(x: f64["m", "n"], keep: bool):
    return np.mean(x, keepdims=keep)  # error: SPY504


@staticpy.jit
def of_a_method(x: f64["m", "n"], keep: bool):
    return x.max(axis=1, keepdims=keep)  # error: SPY504


@staticpy.jit
def known_axis(x: f64["m", "n"]):
    k = 1
    return np.sum(x, axis=k)


@staticpy.jit
def sizes(x: f64["n"], k: int):
    return np.zeros(k) + x.sum()
