"""Cholesky factorisation by hand, with a jitter that grows until the matrix is positive definite.

Source: Higham, "Accuracy and Stability of Numerical Algorithms", algorithm 10.2.
"""

import math

import numpy as np


def cholesky(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                if s <= 0:
                    raise ValueError(f"pivot {i} is not positive")
                L[i, i] = math.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return L


def program(A, jitter=1e-10, attempts=20):
    for attempt in range(attempts):
        try:
            L = cholesky(A + jitter * np.eye(len(A)))
        except ValueError:
            jitter *= 10
        else:
            log_determinant = 2 * np.log(np.diagonal(L)).sum()
            return L, log_determinant, attempt
    raise np.linalg.LinAlgError("matrix is not positive definite")


def arguments(size):
    rng = np.random.default_rng(2)
    low_rank = rng.normal(size=(size, max(1, size // 2)))
    return (low_rank @ low_rank.T,)
