"""The workloads for Numba: the loops as they are, and loops of its own where NumPy's would be slow.

``parallel`` compiles those whose loops say ``prange``, or are whole arrays.
"""

from __future__ import annotations

from functools import partial

import numba
import numpy as np
from numba import prange

from benchmarks.native import arrays, loops, networks
from benchmarks.native.peers import Peer


def affine(x):
    out = np.empty_like(x)
    for i in prange(x.size):
        out[i] = np.float32(1.5) * x[i] + np.float32(0.5)
    return out


def gelu(x):
    out = np.empty_like(x)
    half, one = np.float32(0.5), np.float32(1.0)
    a, b = np.float32(0.7978845608), np.float32(0.044715)
    for i in prange(x.size):
        v = x[i]
        out[i] = half * v * (one + np.tanh(a * (v + b * v * v * v)))
    return out


def adam(p, m, v, g):
    """In place, as such a loop is written."""
    for i in prange(p.size):
        m[i] = np.float32(0.9) * m[i] + np.float32(0.1) * g[i]
        v[i] = np.float32(0.999) * v[i] + np.float32(0.001) * (g[i] * g[i])
        p[i] -= np.float32(0.001) * m[i] / (np.sqrt(v[i]) + np.float32(1e-8))
    return p, m, v


def softmax_norm(x):
    out = np.empty_like(x)
    columns = np.float32(x.shape[1])
    for i in prange(x.shape[0]):
        e = np.exp(x[i] - x[i].max())
        e /= e.sum()
        e -= e.sum() / columns
        out[i] = e / np.sqrt((e * e).sum() / columns + np.float32(1e-5))
    return out


def attention(q, k, v):
    out = np.empty_like(q)
    heads = q.shape[1]
    for place in prange(q.shape[0] * heads):
        i, j = place // heads, place % heads
        scores = np.dot(q[i, j], k[i, j].T)
        for row in range(scores.shape[0]):
            e = np.exp((scores[row] - scores[row].max()) * np.float32(0.125))
            scores[row] = e / e.sum()
        out[i, j] = np.dot(scores, v[i, j])
    return out


def mandelbrot(n, limit):
    counts = np.zeros((n, n), np.int64)
    for row in prange(n):
        for column in range(n):
            a, b = -2.0 + 2.75 * column / n, -1.25 + 2.5 * row / n
            x, y = 0.0, 0.0
            count = 0
            while count < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + a, 2.0 * x * y + b
                count += 1
            counts[row, column] = count
    return counts


def rnn(w, u, x):
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = np.tanh(np.dot(x[t], w) + np.dot(h, u))
    return h


PLAIN = {
    "small": arrays.affine,
    "count_10": loops.counter,
    "count_10000": loops.counter,
    "rnn": rnn,
    "line": networks.line_step,
    "triangular_solve": loops.triangular_solve,
    "lu": loops.lu,
    "floyd_warshall": loops.floyd_warshall,
    "edit_distance": loops.edit_distance,
    "crc32": loops.crc32,
    "n_body": loops.n_body,
    "mandelbrot": mandelbrot,
    "affine": affine,
    "gelu": gelu,
    "adam": adam,
    "softmax_norm": softmax_norm,
    "attention": attention,
    "stencil_1d": loops.stencil_1d,
    "jacobi_2d": loops.jacobi_2d,
    "fdtd_2d": loops.fdtd_2d,
}

PARALLEL = {
    "mandelbrot": mandelbrot,
    "affine": affine,
    "gelu": gelu,
    "adam": adam,
    "softmax_norm": softmax_norm,
    "attention": attention,
    "stencil_1d": arrays.stencil_1d,
    "jacobi_2d": arrays.jacobi_2d,
    "fdtd_2d": arrays.fdtd_2d,
    "floyd_warshall": arrays.floyd_warshall,
    "lu": arrays.lu,
}


def peer(variant: str) -> Peer:
    """Each function compiled at its first call."""
    is_parallel = variant == "parallel"
    compiled = partial(numba.njit, fastmath=False, parallel=is_parallel)
    programs = PARALLEL if is_parallel else PLAIN
    return Peer({name: compiled(program) for name, program in programs.items()})
