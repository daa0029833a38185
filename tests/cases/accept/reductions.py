"""Sums, means, products, extrema, positions and tests, over axes and with keepdims."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f32, f64, i64
from tests.support.cases import case

X = np.array([0.1, 0.2, 0.3, -1.5, 2.0, 1e16, 1.0, -1e16, 0.7])
M = np.arange(12.0).reshape(3, 4) * 0.1
T = np.arange(24.0).reshape(2, 3, 4)
LONG = np.sin(np.arange(1000.0))


# Of a vector, in NumPy's own order of summation.
@case((X,), (LONG,), (LONG[::-1],), (LONG[::3],))
def sum_and_mean(x: f64["n"]):
    return x.sum(), np.sum(x), x.mean(), np.mean(x * 2.0)


# Over an axis.
@case((M,), (M.T,))
def axes(m: f64["m", "n"]):
    return m.sum(axis=0), m.sum(axis=1), m.sum(axis=-1), np.sum(m, 0), m.sum(axis=None)


# Over several axes.
@case((T,))
def several_axes(t: f64["a", "b", "c"]):
    return t.sum(axis=(0, 2)), t.max(axis=(1, 2)), t.mean(axis=(0, 1, 2)), t.sum(axis=(-1, 0))


# keepdims.
@case((M,))
def keepdims(m: f64["m", "n"]):
    centred = m - m.mean(axis=1, keepdims=True)
    return centred, m.sum(keepdims=True), m.max(axis=0, keepdims=True)


# Products.
@case((M + 1.0,))
def products(m: f64["m", "n"]):
    return m.prod(), np.prod(m, axis=0), np.prod(m, axis=1, keepdims=True)


# Extrema, a NaN wins.
@case((M,), (M * np.array([1.0, np.nan, -1.0, 0.0]),))
def extrema(m: f64["m", "n"]):
    return m.min(), m.max(), np.min(m, axis=0), np.max(m, axis=1), np.amax(m), np.ptp(m)


# Positions: the first of equal ones.
@case((np.array([[3.0, 1.0, 3.0], [0.0, 0.0, -1.0]]),))
def positions(m: f64["m", "n"]):
    return m.argmax(), m.argmin(), np.argmax(m, axis=0), np.argmin(m, axis=1)


# Tests.
@case((np.array([[1.0, 0.0], [2.0, 3.0]]),), (np.zeros((2, 2)),))
def tests(m: f64["m", "n"]):
    return m.any(), m.all(), np.any(m, axis=0), np.all(m > 0.5, axis=1), (m == 0).all()


# Counting what holds.
@case((X, 0.5), (X, 99.0))
def counts(x: f64["n"], limit: float):
    return (x > limit).sum(), np.sum(x > limit), (x > limit).mean()


# Spread.
@case((M,))
def spread(m: f64["m", "n"]):
    return m.std(), m.var(), np.std(m, axis=0), np.var(m, axis=1, ddof=1)


# Running sums and products.
@case((X,), (X[:0],))
def running(x: f64["n"]):
    return np.cumsum(x), x.cumsum(), np.cumprod(x)


@case((M,))
def running_over_an_axis(m: f64["m", "n"]):
    return np.cumsum(m, axis=0), np.cumsum(m, axis=1), np.cumsum(m)


# Float32 sums in float32.
@case((LONG.astype(np.float32),))
def float32(x: f32["n"]):
    return x.sum(), x.mean(), x.std(), x.max(), x.sum(dtype=np.float64)


# Integers and bools.
@case((np.array([3, -1, 7]), np.array([True, False, True])))
def integers_and_bools(n: i64["n"], p: b1["n"]):
    return n.sum(), n.mean(), n.prod(), n.min(), p.sum(), p.all(), p.any(), p.argmax()


# The mean of two parts that a run-time index divides.
@case(
    (X, 3),
)
def mean_of_a_part(x: f64["n"], k: int):
    return x[:k].mean() - x[k:].mean()


# The extremum of nothing: ValueError; its sum is 0.0.
@case((X[:0],), (X,))
def extremum_of_nothing(x: f64["n"]):
    return x.max()


@case((X[:0],))
def sum_of_nothing(x: f64["n"]):
    return x.sum(), x.prod(), x.any(), x.all(), x.mean()


# A norm, a softmax, a log-sum-exp.
@case((M,))
def softmax(m: f64["m", "n"]):
    e = np.exp(m - m.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@case((X[:5],), (np.array([1000.0, 1000.0]),), (np.array([-np.inf, 0.0]),))
def log_sum_exp(x: f64["n"]):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


@case((M,))
def standardised(m: f64["m", "n"]):
    return (m - m.mean(axis=0)) / (m.std(axis=0) + 1e-6)


# Reductions of scalars.
@case((2.5, np.float32(1.5)))
def of_scalars(x: float, y: np.float32):
    return np.sum(x), np.max(y), np.mean(y), np.any(x)
