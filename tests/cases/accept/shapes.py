"""Shapes: reshape, transpose, joining, stacking, broadcasting, axes of size one, constructors."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.arange(6.0)
M = np.arange(6.0).reshape(2, 3)
T = np.arange(24).reshape(2, 3, 4)


# reshape, with one size left open.
@case((X,))
def reshape(x: f64["n"]):
    return x.reshape(2, 3), x.reshape((3, -1)), np.reshape(x, (1, 6)), x.reshape(-1, 2, 1)


# A size that doesn't fit: ValueError.
@case((X,), (X[:4],), (X[:5],))
def reshape_that_may_not_fit(x: f64["n"]):
    return x.reshape(2, -1)


# Sizes known at run time only.
@case((X, 2), (X, 6), (X, 4))
def reshape_to_dynamic_sizes(x: f64["n"], rows: int):
    return x.reshape(rows, len(x) // rows)


# The shape of another array.
@case((X, M))
def reshape_to_another_shape(x: f64["k"], m: f64["m", "n"]):
    return x.reshape(m.shape) + m


# Flattening, in the order of the elements.
@case((M,), (M.T,))
def flattening(m: f64["m", "n"]):
    return m.ravel(), m.flatten(), m.reshape(-1), m.T.ravel()


# Transposes.
@case((T,))
def transposes(t: i64["a", "b", "c"]):
    return t.T, t.transpose(1, 0, 2), np.transpose(t, (2, 0, 1)), np.swapaxes(t, 0, 2)


@case((T,))
def moved_axes(t: i64["a", "b", "c"]):
    return np.moveaxis(t, 0, -1), np.moveaxis(t, 2, 0)


# Axes of size one.
@case((M,))
def new_axes(m: f64["m", "n"]):
    return np.expand_dims(m, 0), np.expand_dims(m, -1), np.expand_dims(m, (0, 3))


@case((M.reshape(2, 1, 3),), (M.reshape(1, 6, 1)[:, :1],))
def squeezed_axes(t: f64["a", "b", "c"]):
    return np.squeeze(t, axis=1), t.squeeze(1)


# squeeze() of an axis that isn't one: ValueError.
@case((M,), (M[:1],))
def squeeze_of_a_longer_axis(m: f64["m", "n"]):
    return np.squeeze(m, axis=0)


# concatenate along the first axis, another, and none.
@case((M, M * 10.0), (M, M[:, :0].reshape(0, 3)))
def concatenate(a: f64["a", "n"], b: f64["b", "n"]):
    return np.concatenate([a, b]), np.concatenate((a, b, a), axis=0)


@case((M, M * 10.0))
def concatenate_along_other_axes(a: f64["m", "n"], b: f64["m", "k"]):
    return np.concatenate([a, b], axis=1), np.concatenate([b, a], axis=-1)


# Sizes that don't fit: ValueError.
@case((M, M), (M, M.T))
def concatenate_that_may_not_fit(a: f64["a", "b"], b: f64["c", "d"]):
    return np.concatenate([a, b])


# stack, vstack, hstack.
@case((X, X * 2.0))
def stack(x: f64["n"], y: f64["n"]):
    return np.stack([x, y]), np.stack([x, y], axis=1), np.stack((x, y, x), axis=-1)


@case((X, X * 2.0))
def stack_by_rows_and_columns(x: f64["n"], y: f64["n"]):
    return np.vstack([x, y]), np.hstack([x, y])


# broadcast_to.
@case((X[:3],))
def broadcast_to(x: f64["n"]):
    return np.broadcast_to(x, (2, 3)) + 1.0, np.broadcast_to(x[:, None], (3, 2))


@case((X[:3], 2), (X[:3], 0))
def broadcast_to_a_dynamic_size(x: f64["n"], rows: int):
    return np.broadcast_to(x, (rows, len(x))).sum(axis=0)


# np.shape and np.ndim of several kinds.
@case((M, 2.0))
def shape_functions(m: f64["m", "n"], x: float):
    return np.shape(m), np.ndim(m), np.shape(x), np.ndim(x)


# zeros, ones, full.
@case((3,), (0,))
def constructors(n: int):
    return np.zeros(n), np.ones((n, 2)), np.full((2, n), 2.5), np.full(n, 7)


# ... with a dtype.
@case((2,))
def constructors_with_a_dtype(n: int):
    return np.zeros(n, dtype=np.int32), np.ones((2, n), np.float32), np.full(n, 1, dtype=bool)


# A negative size: ValueError.
@case((3,), (-1,))
def negative_size(n: int):
    return np.zeros(n)


# The *_like functions take shape and dtype from their argument.
@case((M.astype(np.float32),))
def constructors_like(m: f32["m", "n"]):
    return np.zeros_like(m), np.ones_like(m), np.full_like(m, 3), np.zeros_like(m, dtype=np.int64)


# arange of ints and floats.
@case((5, 2), (0, 1), (-3, 7))
def arange_of_ints(n: int, step: int):
    return np.arange(n), np.arange(1, n), np.arange(n, -n, -step), np.arange(n * 1.0)


@case((0.0, 1.0, 0.25), (1.0, 0.0, -0.3))
def arange_of_floats(a: float, b: float, step: float):
    return np.arange(a, b, step)


# eye.
@case((3,), (1,))
def eye(n: int):
    return np.eye(n), np.eye(2, 3), np.eye(3, k=1), np.eye(n, dtype=np.int8)


# linspace.
@case((0.0, 1.0), (2.0, -2.0))
def linspace(a: float, b: float):
    return np.linspace(a, b, 5), np.linspace(a, b, 1)


# Arrays made of numbers, and of nested lists.
@case((1.5, 2))
def array_of_numbers(x: float, n: int):
    return np.array([x, 2.0, n]), np.array([[n, 1], [0, n]]), np.array((True, False))


@case((X[:2], X[4:]))
def array_of_arrays(x: f64["n"], y: f64["n"]):
    return np.array([x, y]), np.asarray([x, y, x])


# A grid out of two vectors.
@case((X[:3], X[:2]))
def grid(x: f64["n"], y: f64["m"]):
    columns = np.zeros((len(y), 1)) + x
    rows = np.zeros((1, len(x))) + y[:, None]
    return columns, rows, np.stack([columns, rows], axis=-1)
