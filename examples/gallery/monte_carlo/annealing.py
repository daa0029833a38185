"""The travelling salesman by simulated annealing: reversals of a stretch, geometric cooling.

Source: Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", 1983.
"""

import numpy as np


def tour_length(tour, D):
    return sum(D[tour[i - 1], tour[i]] for i in range(len(tour)))


def program(points, rng, T0=1.0, cooling=0.9, stages=15):
    n = len(points)
    diff = points[:, None, :] - points[None, :, :]
    D = np.sqrt((diff**2).sum(axis=-1))
    tour = np.arange(n)
    rng.shuffle(tour)
    length = tour_length(tour, D)
    best, best_tour = length, tour.copy()
    T = T0
    for stage in range(stages):
        improved = False
        for _ in range(5 * n):
            i, j = sorted(rng.integers(0, n, size=2))
            if i == j or (i == 0 and j == n - 1):
                continue
            a, b, c, d = tour[i - 1], tour[i], tour[j], tour[(j + 1) % n]
            delta = D[a, c] + D[b, d] - D[a, b] - D[c, d]
            if delta < 0 or rng.uniform() < np.exp(-delta / T):
                tour[i : j + 1] = tour[i : j + 1][::-1].copy()
                length += delta
                if length < best - 1e-12:
                    best, best_tour[:] = length, tour
                    improved = True
        if not improved and T < 0.1:
            break
        T *= cooling
    return best_tour, best, stage


def arguments(size):
    rng = np.random.default_rng(4)
    return rng.random((size + 3, 2)), rng
