"""LU factorisation with partial pivoting, solution of a system, and the determinant.

Source: Golub and Van Loan, "Matrix Computations", algorithm 3.4.1.
"""

import numpy as np


def lu_factor(A):
    """Factor ``A`` in place; return the permutation and its sign."""
    n = A.shape[0]
    perm = np.arange(n)
    sign = 1
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if A[p, k] == 0:
            raise np.linalg.LinAlgError("matrix is singular")
        if p != k:
            A[[k, p]] = A[[p, k]]
            perm[[k, p]] = perm[[p, k]]
            sign = -sign
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return perm, sign


def lu_solve(LU, perm, b):
    """Forward and back substitution."""
    n = len(b)
    x = b[perm]
    for i in range(1, n):
        x[i] -= LU[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - LU[i, i + 1 :] @ x[i + 1 :]) / LU[i, i]
    return x


def program(A, b):
    LU = A.copy()
    perm, sign = lu_factor(LU)
    x = lu_solve(LU, perm, b)
    determinant = sign * np.prod(np.diag(LU))
    return x, determinant, np.linalg.norm(A @ x - b)


def arguments(size):
    rng = np.random.default_rng(1)
    return rng.normal(size=(size, size)), rng.normal(size=size)
