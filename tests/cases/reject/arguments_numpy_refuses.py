"""Arguments that NumPy refuses together, or has not, are refused before anything runs."""

import numpy as np

import staticpy


@staticpy.jit
def f(x: staticpy.f64["n"]):
    a = np.clip(x, 1)  # error: SPY505
    b = np.clip(x, None, max=2)  # error: SPY505
    c = np.clip(x, 1, 2, min=0)  # error: SPY505
    d = np.std(x, ddof=1, correction=1)  # error: SPY505
    e = np.var(x, correction=None)  # error: SPY504
    g = x.std(correction=1)  # error: SPY503
    return a, b, c, d, e, g


@staticpy.jit
def h(x: staticpy.f64["n"]):
    a = np.zeros(3, device="gpu")  # error: SPY502
    b = x.to_device("gpu")  # error: SPY505
    c = x.__array_namespace__(api_version="2000.12")  # error: SPY505
    d = np.diff(x, prepend=None)  # error: SPY506
    return a, b, c, d


@staticpy.jit
def axes(x: staticpy.f64["n", "m"]):
    a = x.sum(axis=[0, 1])  # error: SPY505
    b = np.max(x, axis=[0])  # error: SPY505
    c = np.std(x, axis=[0])  # error: SPY505
    d = np.add.reduce(x, axis=[0])  # error: SPY505
    e = np.squeeze(x[:1], axis=[0])  # error: SPY505
    f = np.linalg.norm(x, axis=[0, 1])  # error: SPY505
    g = np.median(x, axis=[0, 1]), np.flip(x, axis=[0]), np.expand_dims(x, axis=[0])
    return a, b, c, d, e, f, g


@staticpy.jit
def numbers(x: staticpy.f64["n"]):
    a = np.flip(x.sum(), axis=0)  # error: SPY505
    b = np.moveaxis(np.array(2.5), 0, 0)  # error: SPY505
    c = x[0].argpartition(0)  # error: SPY305
    d = np.take_along_axis([1.0, 2.0], np.argsort(x), 0)  # error: SPY506
    return a, b, c, d, np.squeeze(np.array(2.5), axis=0)


@staticpy.jit
def flags(x: staticpy.f64["n", "m"]):
    a = x.sum(keepdims=None)  # error: SPY505
    b = np.max(x, axis=True)  # error: SPY505
    c = np.asarray(x, copy="C")  # error: SPY505
    d = x.item([0])  # error: SPY505
    e = np.cumulative_sum(x, axis=[0])  # error: SPY505
    return a, b, c, d, e, x.sum(keepdims=1), np.asarray(x, copy=0)
