"""Gauss-Seidel sweeps over nine neighbours, in place, by elements.

Source: PolyBench/C 4.2, ``seidel-2d``.
"""

import numpy as np


def program(tsteps, A):
    N = A.shape[0]
    for t in range(tsteps):
        for i in range(1, N - 1):
            for j in range(1, N - 1):
                A[i, j] = (
                    A[i - 1, j - 1]
                    + A[i - 1, j]
                    + A[i - 1, j + 1]
                    + A[i, j - 1]
                    + A[i, j]
                    + A[i, j + 1]
                    + A[i + 1, j - 1]
                    + A[i + 1, j]
                    + A[i + 1, j + 1]
                ) / 9.0


def arguments(size):
    i, j = np.mgrid[:size, :size]
    return 5, (i * (j + 2.0) + 2) / size
