"""The Ising model: Metropolis sweeps and Wolff's clusters.

Source: Newman and Barkema, "Monte Carlo Methods in Statistical Physics", chapters 3 and 4.
"""

import numpy as np


def metropolis(spins, beta, rng):
    L = spins.shape[0]
    accepted = 0
    for _ in range(L * L):
        i, j = rng.integers(0, L, 2)
        neighbours = (
            spins[(i + 1) % L, j] + spins[i - 1, j] + spins[i, (j + 1) % L] + spins[i, j - 1]
        )
        dE = 2 * spins[i, j] * neighbours
        if dE <= 0 or rng.random() < np.exp(-beta * dE):
            spins[i, j] *= -1
            accepted += 1
    return accepted


def wolff(spins, beta, rng):
    L = spins.shape[0]
    p_add = 1 - np.exp(-2 * beta)
    i, j = rng.integers(L), rng.integers(L)
    s = spins[i, j]
    spins[i, j] = -s
    stack = [(i, j)]
    size = 1
    while stack:
        i, j = stack.pop()
        for ni, nj in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            ni %= L
            nj %= L
            if spins[ni, nj] == s and rng.random() < p_add:
                spins[ni, nj] = -s
                stack.append((ni, nj))
                size += 1
    return size


def energy(spins):
    return -(spins * (np.roll(spins, 1, 0) + np.roll(spins, 1, 1))).sum()


def program(spins, beta, sweeps, rng):
    m, e, sizes = [], [], []
    for sweep in range(sweeps):
        if sweep % 2:
            sizes.append(wolff(spins, beta, rng))
        else:
            metropolis(spins, beta, rng)
        m.append(abs(spins.mean()))
        e.append(energy(spins) / spins.size)
    return np.mean(m), np.var(e), sizes


def arguments(size):
    rng = np.random.default_rng(2)
    return rng.choice(np.array([-1, 1], dtype=np.int8), size=(size + 1, size + 1)), 0.44, 6, rng
