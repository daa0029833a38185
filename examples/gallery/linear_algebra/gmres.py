"""GMRES: Arnoldi's process with Givens rotations.

Source: Saad, "Iterative Methods for Sparse Linear Systems", algorithm 6.9 and section 6.5.3.
"""

import numpy as np


def arnoldi_step(A, Q, k):
    q = A @ Q[:, k]
    h = np.zeros(k + 2)
    for i in range(k + 1):
        h[i] = q @ Q[:, i]
        q -= h[i] * Q[:, i]
    h[k + 1] = np.linalg.norm(q)
    return h, q / h[k + 1] if h[k + 1] > 1e-14 else q


def rotation(a, b):
    t = np.hypot(a, b)
    return a / t, b / t


def program(A, b, x, max_iterations, threshold):
    n = len(A)
    m = min(max_iterations, n)
    r = b - A @ x
    b_norm = np.linalg.norm(b)
    error = np.linalg.norm(r) / b_norm
    cs, sn = np.zeros(m), np.zeros(m)
    e = [error]
    r_norm = np.linalg.norm(r)
    Q = np.zeros((n, m + 1))
    Q[:, 0] = r / r_norm
    H = np.zeros((m + 1, m))
    beta = np.zeros(m + 1)
    beta[0] = r_norm
    for k in range(m):
        H[: k + 2, k], Q[:, k + 1] = arnoldi_step(A, Q, k)
        for i in range(k):
            temp = cs[i] * H[i, k] + sn[i] * H[i + 1, k]
            H[i + 1, k] = -sn[i] * H[i, k] + cs[i] * H[i + 1, k]
            H[i, k] = temp
        cs[k], sn[k] = rotation(H[k, k], H[k + 1, k])
        H[k, k] = cs[k] * H[k, k] + sn[k] * H[k + 1, k]
        H[k + 1, k] = 0.0
        beta[k + 1] = -sn[k] * beta[k]
        beta[k] = cs[k] * beta[k]
        error = abs(beta[k + 1]) / b_norm
        e.append(error)
        if error <= threshold:
            break
    y = np.linalg.solve(H[: k + 1, : k + 1], beta[: k + 1])
    return x + Q[:, : k + 1] @ y, e


def arguments(size):
    rng = np.random.default_rng(7)
    matrix = rng.normal(size=(size, size)) + 3 * np.sqrt(size) * np.eye(size)
    return matrix, rng.normal(size=size), np.zeros(size), 30, 1e-9
