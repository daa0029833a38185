"""Programs over whole arrays, as plain NumPy: what is measured of fusion and of matrix products."""

from __future__ import annotations

import numpy as np


def affine(x):
    """Two operations, and nothing else."""
    return 1.5 * x + 0.5


def gelu(x):
    """The form with tanh (Hendrycks and Gimpel 2016)."""
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def adam(p, m, v, g):
    """One step (Kingma and Ba 2015), of which the rate has the corrections in it."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * (g * g)
    p = p - 0.001 * m / (np.sqrt(v) + 1e-8)
    return p, m, v


def softmax_norm(x):
    """Softmax of rows, and layer norm of these."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    s = e / e.sum(axis=-1, keepdims=True)
    centred = s - s.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5)


def attention(q, k, v):
    """Scaled dot products (Vaswani et al. 2017), of arrays ``[batch, heads, steps, width]``."""
    scores = q @ k.swapaxes(-1, -2) * 0.125
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


def stencil_1d(a, steps):
    """Means of three neighbours."""
    a = a.copy()
    b = a.copy()
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    return a


def jacobi_2d(a, steps):
    """Means of five neighbours."""
    a = a.copy()
    b = a.copy()
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )
    return a


def fdtd_2d(ex, ey, hz, steps):
    """Maxwell's equations in the plane (Yee 1966)."""
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for step in range(steps):
        ey[0, :] = step
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return ex, ey, hz


def triangular_solve(a, b):
    """X of a @ x = b, of which ``a`` is lower triangular."""
    x = np.zeros_like(b)
    for i in range(b.shape[0]):
        x[i] = (b[i] - a[i, :i] @ x[:i]) / a[i, i]
    return x


def lu(a):
    """Both factors in one matrix, without pivots."""
    a = a.copy()
    n = a.shape[0]
    for k in range(n - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k : k + 1] * a[k, k + 1 :]
    return a


def floyd_warshall(path):
    """The shortest ways between all pairs."""
    path = path.copy()
    for k in range(path.shape[0]):
        path = np.minimum(path, path[:, k, None] + path[k])
    return path


def n_body(position, velocity, mass, steps):
    """Masses that attract each other, all pairs at once; ``position`` is ``f64[n, 3]``."""
    position, velocity = position.copy(), velocity.copy()
    for _ in range(steps):
        way = position[None, :, :] - position[:, None, :]
        distance = (way * way).sum(axis=-1) + 0.01
        pull = mass / (distance * np.sqrt(distance))
        velocity += 0.01 * (way * pull[:, :, None]).sum(axis=1)
        position += 0.01 * velocity
    return position, velocity


def mandelbrot(n, limit):
    """How long each point of a grid stays, all points at once."""
    b, a = np.meshgrid(
        -1.25 + 2.5 * np.arange(n) / n, -2.0 + 2.75 * np.arange(n) / n, indexing="ij"
    )
    x, y = np.zeros((n, n)), np.zeros((n, n))
    counts = np.zeros((n, n), np.int64)
    for _ in range(limit):
        inside = x * x + y * y <= 4.0
        counts += inside
        x, y = np.where(inside, x * x - y * y + a, x), np.where(inside, 2.0 * x * y + b, y)
    return counts
