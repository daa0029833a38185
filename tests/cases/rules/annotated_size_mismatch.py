"""SPY614: sizes of one name, or computed of one another, that differ."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def turned(x: f64[2, 3]) -> f64[2, 3]:  # error: SPY614
    return x.T


@staticpy.jit
def twice(x: f64[4]):
    y: f64["2*n"] = x
    return pair(x, y)


def pair(x: f64["n"], y: f64["n+1"]):  # error: SPY614
    return x.sum() + y.sum()


@staticpy.jit
def batches(x: f64[2, 3]):
    return stacked(x, np.ones((4, 3)))


def stacked(x: f64["*batch", 3], y: f64["*batch", 3]):  # error: SPY614
    return x.sum() + y.sum()


@staticpy.jit
def transposed(x: f64[2, 3]) -> f64[3, 2]:
    return x.T


@staticpy.jit
def one_more(x: f64[3]):
    return longer(x, np.ones(4))


def longer(x: f64["n"], y: f64["n+1"]):
    return x.sum() + y.sum()
