"""Pi by throwing darts, in batches, until the standard error is small enough.

Source: Metropolis and Ulam, "The Monte Carlo method", 1949.
"""

import math

import numpy as np


def program(rng, batch, tolerance, max_batches=200):
    hits = total = 0
    for _ in range(max_batches):
        xy = rng.random((batch, 2))
        hits += int(np.count_nonzero(np.sum(xy**2, axis=1) <= 1.0))
        total += batch
        p = hits / total
        stderr = 4 * math.sqrt(p * (1 - p) / total)
        if 0 < stderr < tolerance:
            return 4 * p, stderr, total
    return 4 * p, stderr, total


def arguments(size):
    return np.random.default_rng(0), 10 * size, 0.05
