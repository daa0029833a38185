"""The heat equation in three dimensions, two arrays in turn.

Source: PolyBench/C 4.2, ``heat-3d``.
"""

import numpy as np


def step(src, dst):
    core = src[1:-1, 1:-1, 1:-1]
    dst[1:-1, 1:-1, 1:-1] = (
        0.125 * (src[2:, 1:-1, 1:-1] - 2.0 * core + src[:-2, 1:-1, 1:-1])
        + 0.125 * (src[1:-1, 2:, 1:-1] - 2.0 * core + src[1:-1, :-2, 1:-1])
        + 0.125 * (src[1:-1, 1:-1, 2:] - 2.0 * core + src[1:-1, 1:-1, 0:-2])
        + core
    )


def program(TSTEPS, A, B):
    for t in range(1, TSTEPS):
        step(A, B)
        step(B, A)
    return A[len(A) // 2]


def arguments(size):
    i, j, k = np.indices((size, size, size))
    a = (i + j + (size - k)) * 10 / size
    return 6, a, a.copy()
