"""Self-avoiding random walks on a square lattice, by Rosenbluth's method.

Source: Rosenbluth and Rosenbluth, "Monte Carlo calculation of the average extension of molecular
chains", 1955.
"""

import numpy as np

MOVES = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def grow(rng, length):
    """One chain: its end, its weight and its length, shorter if it is trapped."""
    grid = np.zeros((2 * length + 1, 2 * length + 1), dtype=bool)
    x = y = length
    grid[x, y] = True
    weight = 1.0
    for step in range(length):
        free = [(x + dx, y + dy) for dx, dy in MOVES if not grid[x + dx, y + dy]]
        if not free:
            return (x - length, y - length), 0.0, step
        weight *= len(free) / 4
        x, y = free[rng.integers(len(free))]
        grid[x, y] = True
    return (x - length, y - length), weight, length


def program(rng, length, chains):
    r2_sum = w_sum = 0.0
    trapped = 0
    for _ in range(chains):
        (x, y), w, n = grow(rng, length - 1)
        if n < length - 1:
            trapped += 1
        r2_sum += w * (x * x + y * y)
        w_sum += w
    return r2_sum / w_sum if w_sum else None, trapped


def arguments(size):
    return np.random.default_rng(1), 2 * size + 1, 3 * size
