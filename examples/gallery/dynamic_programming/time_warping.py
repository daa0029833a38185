"""Dynamic time warping in a band, its path, and the nearest series by a lower bound.

Source: Sakoe and Chiba, 1978; Keogh, "Exact indexing of dynamic time warping", 2002.
"""

import numpy as np


def dtw(x, y, window, best_so_far=np.inf):
    n, m = len(x), len(y)
    window = max(window, abs(n - m))
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, n + 1):
        row_best = np.inf
        for j in range(max(1, i - window), min(m, i + window) + 1):
            d = (x[i - 1] - y[j - 1]) ** 2
            cost[i, j] = d + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
            row_best = min(row_best, cost[i, j])
        if row_best > best_so_far:
            return np.inf, cost
    return cost[n, m], cost


def path_of(cost):
    i, j = cost.shape[0] - 1, cost.shape[1] - 1
    path = []
    while i > 0 and j > 0:
        path.append((i - 1, j - 1))
        steps = [
            (cost[i - 1, j - 1], i - 1, j - 1),
            (cost[i - 1, j], i - 1, j),
            (cost[i, j - 1], i, j - 1),
        ]
        _, i, j = min(steps)
    return path[::-1]


def lower_bound(query, candidate, window):
    total = 0.0
    for i, q in enumerate(query):
        near = candidate[max(0, i - window) : i + window + 1]
        hi, lo = near.max(), near.min()
        if q > hi:
            total += (q - hi) ** 2
        elif q < lo:
            total += (q - lo) ** 2
    return total


def program(query, library, window):
    best, where, pruned = np.inf, None, 0
    for k, candidate in enumerate(library):
        if lower_bound(query, candidate, window) >= best:
            pruned += 1
            continue
        d, cost = dtw(query, candidate, window, best)
        if d < best:
            best, where = d, k
            path = path_of(cost)
    if where is None:
        return None
    return where, np.sqrt(best), path, pruned


def arguments(size):
    rng = np.random.default_rng(5)
    n = size + 4
    library = np.cumsum(rng.normal(size=(6, n)), axis=1)
    return library[3] + 0.1 * rng.normal(size=n), library, 2
