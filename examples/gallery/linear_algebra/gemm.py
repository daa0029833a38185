"""General matrix product ``C = alpha A B + beta C``, in place, as in BLAS.

Source: Dongarra et al., "A set of level 3 basic linear algebra subprograms", 1990; loop order as in
PolyBench/C 4.2.
"""

import numpy as np


def program(alpha, beta, C, A, B):
    ni, nj = C.shape
    nk = A.shape[1]
    if B.shape != (nk, nj) or A.shape[0] != ni:
        raise ValueError("shapes do not match")
    for i in range(ni):
        for j in range(nj):
            C[i, j] *= beta
        for k in range(nk):
            for j in range(nj):
                C[i, j] += alpha * A[i, k] * B[k, j]
    return C


def arguments(size):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(size, size + 1))
    b = rng.normal(size=(size + 1, size + 2))
    return 1.5, 1.2, rng.normal(size=(size, size + 2)), a, b
