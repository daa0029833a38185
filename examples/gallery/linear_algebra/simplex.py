"""Linear programming: the tableau simplex method with Bland's rule.

Source: Dantzig, "Linear Programming and Extensions", 1963; Bland, "New finite pivoting rules",
1977.
"""

import enum

import numpy as np


class Status(enum.Enum):
    OPTIMAL = 0
    UNBOUNDED = 1


def entering(costs):
    for j, c in enumerate(costs):
        if c < -1e-9:
            return j
    return None


def leaving(T, col):
    best_row, best_ratio = -1, np.inf
    for i in range(T.shape[0] - 1):
        if T[i, col] > 1e-9:
            ratio = T[i, -1] / T[i, col]
            if ratio < best_ratio - 1e-12:
                best_row, best_ratio = i, ratio
    return best_row


def pivot(T, row, col):
    T[row] /= T[row, col]
    for i in range(len(T)):
        if i != row and T[i, col] != 0:
            T[i] -= T[i, col] * T[row]


def program(c, A, b):
    """Maximise ``c x`` under ``A x <= b``, ``x >= 0``, for ``b >= 0``."""
    m, n = A.shape
    T = np.zeros((m + 1, n + m + 1))
    T[:m, :n] = A
    T[:m, n : n + m] = np.eye(m)
    T[:m, -1] = b
    T[-1, :n] = -c
    basis = list(range(n, n + m))
    pivots = 0
    while (col := entering(T[-1, :-1])) is not None:
        row = leaving(T, col)
        if row < 0:
            return Status.UNBOUNDED, None, np.inf, pivots
        pivot(T, row, col)
        basis[row] = col
        pivots += 1
    x = np.zeros(n)
    for row, var in enumerate(basis):
        if var < n:
            x[var] = T[row, -1]
    return Status.OPTIMAL, x, T[-1, -1], pivots


def arguments(size):
    rng = np.random.default_rng(9)
    bounds = rng.uniform(1.0, 5.0, size=size + 2)
    return rng.uniform(0.1, 1.0, size=size), rng.uniform(0, 1, size=(size + 2, size)), bounds
