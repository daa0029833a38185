"""The matrix exponential by scaling, squaring and a Padé approximant, for a Markov chain.

Source: Moler and Van Loan, "Nineteen dubious ways to compute the exponential of a matrix", 2003.
"""

import math

import numpy as np


def expm(A, q=6):
    norm = np.linalg.norm(A, np.inf)
    j = max(0, int(math.log2(norm)) + 1) if norm > 0 else 0
    A = A / 2**j
    D = N = np.eye(len(A))
    X = np.eye(len(A))
    c = 1.0
    for k in range(1, q + 1):
        c *= (q - k + 1) / (k * (2 * q - k + 1))
        X = A @ X
        N = N + c * X
        D = D + (-1) ** k * c * X
    F = np.linalg.solve(D, N)
    for _ in range(j):
        F = F @ F
    return F


def program(rates, times):
    Q = rates.copy()
    np.fill_diagonal(Q, 0)
    Q -= np.diag(Q.sum(axis=1))
    p = np.zeros(len(Q))
    p[0] = 1
    states = {}
    for t in times:
        P = expm(Q * t)
        assert np.allclose(P.sum(axis=1), 1), "rows must sum to one"
        states[float(t)] = p @ P
    return states, np.linalg.matrix_power(expm(Q), 3)


def arguments(size):
    return np.random.default_rng(0).random((size + 1, size + 1)), [0.1, 1.0, np.float64(5.0)]
