"""Matrix transpose times matrix times vector, beside the kernel of BiCG.

Source: PolyBench/C 4.2, ``atax`` and ``bicg``.
"""

import numpy as np


def atax(A, x):
    y = np.zeros(A.shape[1])
    for row in A:
        tmp = 0.0
        for a, xi in zip(row, x):
            tmp += a * xi
        y += row * tmp
    return y


def bicg(A, p, r):
    m, n = A.shape
    s = np.zeros(n)
    q = np.zeros(m)
    for i in range(m):
        for j in range(n):
            s[j] += r[i] * A[i, j]
            q[i] += A[i, j] * p[j]
    return s, q


def program(A, x, r):
    y = atax(A, x)
    s, q = bicg(A, x, r)
    return {"y": y, "s": s, "q": q, "gap": float(np.max(np.abs(y - A.T @ q)))}


def arguments(size):
    rng = np.random.default_rng(5)
    return rng.normal(size=(size, size + 3)), rng.normal(size=size + 3), rng.normal(size=size)
