"""Triangular systems: forward substitution by rows and back substitution by columns.

Source: Higham, "Accuracy and Stability of Numerical Algorithms", chapter 8; PolyBench/C
``trisolv``.
"""

import numpy as np


def forward(L, b, unit_diagonal=False):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        if not unit_diagonal:
            x[i] /= L[i, i]
    return x


def backward(U, b):
    x = b.copy()
    for j in reversed(range(len(b))):
        x[j] /= U[j, j]
        x[:j] -= x[j] * U[:j, j]
    return x


def program(L, b):
    x = forward(L, b)
    y = backward(L.T, x)
    z = forward(L, b, unit_diagonal=True)
    return x, y, z


def arguments(size):
    rng = np.random.default_rng(4)
    lower = np.tril(rng.uniform(0.1, 1.0, size=(size, size))) + size * np.eye(size)
    return lower, rng.normal(size=size).astype(np.float32)
