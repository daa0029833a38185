"""Eigenvalues of a symmetric matrix: tridiagonalisation, then shifted QR with deflation.

Source: Golub and Van Loan, "Matrix Computations", sections 8.3.1 and 8.3.3 (Wilkinson's shift).
"""

import numpy as np


def householder_vector(x):
    v = x.copy()
    sigma = np.linalg.norm(x)
    if sigma == 0.0:
        return v, 0.0
    v[0] += np.copysign(sigma, x[0])
    return v, 2.0 / (v @ v)


def tridiagonalise(A):
    n = A.shape[0]
    for k in range(n - 2):
        v, beta = householder_vector(A[k + 1 :, k])
        p = beta * (A[k + 1 :, k + 1 :] @ v)
        w = p - 0.5 * beta * (p @ v) * v
        A[k + 1, k] = A[k, k + 1] = np.linalg.norm(A[k + 1 :, k])
        A[k + 2 :, k] = 0.0
        A[k, k + 2 :] = 0.0
        A[k + 1 :, k + 1 :] -= np.outer(v, w) + np.outer(w, v)
    return np.diag(A).copy(), np.diag(A, 1).copy()


def wilkinson_shift(d, e, m):
    delta = (d[m - 1] - d[m]) / 2
    sign = 1.0 if delta >= 0 else -1.0
    return d[m] - sign * e[m - 1] ** 2 / (abs(delta) + np.hypot(delta, e[m - 1]))


def qr_sweep(d, e, m):
    """One implicit step on the leading ``m + 1`` rows."""
    x = d[0] - wilkinson_shift(d, e, m)
    z = e[0]
    for k in range(m):
        r = np.hypot(x, z)
        c, s = (x / r, z / r) if r > 0 else (1.0, 0.0)
        if k > 0:
            e[k - 1] = r
        a, b, f = d[k], d[k + 1], e[k]
        d[k] = c * c * a + 2 * c * s * f + s * s * b
        d[k + 1] = s * s * a - 2 * c * s * f + c * c * b
        e[k] = c * s * (b - a) + (c * c - s * s) * f
        if k < m - 1:
            x = e[k]
            z = s * e[k + 1]
            e[k + 1] *= c


def program(A, tol=1e-12):
    d, e = tridiagonalise(A.copy())
    m = len(d) - 1
    sweeps = 0
    while m > 0:
        if abs(e[m - 1]) < tol * (abs(d[m]) + abs(d[m - 1])):
            m -= 1
            continue
        sweeps += 1
        if sweeps > 50 * len(d):
            raise RuntimeError("no convergence")
        qr_sweep(d, e, m)
    return np.sort(d), sweeps


def arguments(size):
    rng = np.random.default_rng(8)
    a = rng.normal(size=(size, size))
    return (a + a.T,)
