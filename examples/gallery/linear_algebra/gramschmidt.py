"""QR factorisation by the modified Gram-Schmidt process.

Source: Björck, "Numerics of Gram-Schmidt orthogonalization", 1994; PolyBench/C ``gramschmidt``.
"""

import numpy as np


def program(A):
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for k in range(n):
        nrm = 0.0
        for i in range(m):
            nrm += A[i, k] * A[i, k]
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, n):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def arguments(size):
    rng = np.random.default_rng(3)
    return (rng.normal(size=(size + 2, size)),)
