"""Matrix products: `@`, dot, inner, outer, over vectors, matrices and stacks of them."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
B = np.array([[1.0, -1.0], [0.5, 2.0], [0.0, 3.0]])
V = np.array([1.0, 2.0, -1.0])
BATCH = np.arange(24.0).reshape(2, 3, 4)


# Matrix times matrix.
@case((A, B), (A[:1], B), (A[:0], B))
def matrix_times_matrix(a: f64["m", "k"], b: f64["k", "n"]):
    return a @ b, np.matmul(a, b), np.dot(a, b)


# Matrix times vector, vector times matrix, vector times vector.
@case((A, V))
def with_vectors(a: f64["m", "k"], v: f64["k"]):
    return a @ v, v @ a.T, v @ v, np.dot(v, v), np.inner(a, v)


# Sizes that don't fit: ValueError.
@case((A, B), (A, A))
def sizes_must_fit(a: f64["m", "k"], b: f64["l", "n"]):
    return a @ b


# Stacks of matrices.
@case((BATCH, BATCH.swapaxes(1, 2)))
def stacks_of_matrices(a: f64["b", "m", "k"], b: f64["b", "k", "n"]):
    return a @ b


@case((BATCH, np.ones((4, 2))))
def stack_times_matrix(a: f64["b", "m", "k"], w: f64["k", "n"]):
    return a @ w, np.matmul(a, w)


# Transposed operands.
@case((A, B))
def transposed_operands(a: f64["m", "k"], b: f64["k", "n"]):
    return a.T @ a, b.T @ b, b.T @ a.T


# Outer and inner products.
@case((V, V[:2]))
def outer_products(v: f64["m"], w: f64["n"]):
    return np.outer(v, w), v[:, None] @ w[None]


# Integers.
@case((np.array([[1, 2], [3, 4]]), np.array([5, 6])))
def integer_products(m: i64["m", "n"], v: i64["n"]):
    return m @ m, m @ v, np.dot(v, v)


# float32 stays float32.
@case((A.astype(np.float32), B.astype(np.float32)))
def float32_products(a: f32["m", "k"], b: f32["k", "n"]):
    return a @ b, (a @ b) * 0.5 + 1


# float32 and float64 meet.
@case((A.astype(np.float32), B))
def mixed_products(a: f32["m", "k"], b: f64["k", "n"]):
    return a @ b


# A dense layer.
@case((np.ones((5, 3)), B, np.array([0.1, -3.0])), (np.ones((1, 3)), B, np.zeros(2)))
def dense_layer(x: f64["batch", "k"], w: f64["k", "n"], b: f64["n"]):
    return np.maximum(x @ w + b, 0.0)


# A quadratic form and its gradient.
@case((A.T @ A, V))
def quadratic_form(a: f64["n", "n"], x: f64["n"]):
    return 0.5 * x @ a @ x, a @ x


# Powers of a matrix, by repeated squaring with a run-time exponent.
@case((np.array([[1, 1], [1, 0]]), 10), (np.array([[1, 1], [1, 0]]), 0))
def matrix_power(m: i64["n", "n"], exponent: int):
    result = np.eye(len(m), dtype=np.int64)
    while exponent > 0:
        if exponent % 2:
            result = result @ m
        m = m @ m
        exponent //= 2
    return result


# The power iteration.
@case(
    (np.array([[2.0, 1.0], [1.0, 3.0]]), 20),
)
def power_iteration(m: f64["n", "n"], steps: int):
    v = np.ones(len(m))
    for _ in range(steps):
        v = m @ v
        v = v / np.sqrt(v @ v)
    return v @ m @ v, v


# The method of conjugate gradients.
@case((np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])))
def conjugate_gradients(a: f64["n", "n"], b: f64["n"]):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rr = r @ r
    while rr > 1e-20:
        ap = a @ p
        alpha = rr / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + (new / rr) * p
        rr = new
    return x


# The fit of a line by least squares.
@case((np.arange(5.0), np.array([1.0, 3.1, 4.9, 7.2, 8.8])))
def line_fit(x: f64["n"], y: f64["n"]):
    dx = x - x.mean()
    slope = dx @ (y - y.mean()) / (dx @ dx)
    return slope, y.mean() - slope * x.mean()


# Distances between all pairs.
@case((A, B.T))
def pairwise_distances(a: f64["m", "k"], b: f64["n", "k"]):
    d = a[:, None, :] - b[None, :, :]
    return np.sqrt((d * d).sum(axis=-1))
