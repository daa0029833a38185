"""Durbin's recursion for a symmetric Toeplitz system ``T y = -r``.

Source: Golub and Van Loan, "Matrix Computations", algorithm 4.7.1; PolyBench/C ``durbin``.
"""

import numpy as np


def program(r):
    n = r.shape[0]
    y = np.empty(n)
    y[0] = -r[0]
    alpha = -r[0]
    beta = 1.0
    for k in range(1, n):
        beta *= 1 - alpha * alpha
        total = r[k]
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -total / beta
        z = y[:k] + alpha * y[:k][::-1]
        y[:k] = z
        y[k] = alpha
    return y, beta


def arguments(size):
    return (0.9 ** np.arange(1, size + 1) * np.cos(0.3 * np.arange(1, size + 1)) * 0.5,)
