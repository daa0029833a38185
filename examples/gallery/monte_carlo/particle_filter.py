"""Tracking by a bootstrap particle filter with systematic resampling.

Source: Gordon, Salmond and Smith, 1993; Arulampalam et al., "A tutorial on particle filters", 2002.
"""

import numpy as np


def systematic_resample(weights, rng):
    N = len(weights)
    positions = (rng.random() + np.arange(N)) / N
    indexes = np.zeros(N, "i")
    cumulative_sum = np.cumsum(weights)
    i, j = 0, 0
    while i < N:
        if j == N - 1 or positions[i] < cumulative_sum[j]:
            indexes[i] = j
            i += 1
        else:
            j += 1
    return indexes


def transition(x, k):
    return x / 2 + 25 * x / (1 + x**2) + 8 * np.cos(1.2 * k)


def program(observations, N, rng, q=np.sqrt(10.0), r=1.0):
    particles = rng.normal(0, 2, N)
    weights = np.full(N, 1.0 / N)
    means, resamplings = [], 0
    for k, z in enumerate(observations):
        particles = transition(particles, k) + q * rng.standard_normal(N)
        weights *= np.exp(-0.5 * ((z - particles**2 / 20) / r) ** 2)
        weights += 1e-300
        weights /= weights.sum()
        means.append(np.average(particles, weights=weights))
        if 1.0 / np.sum(weights**2) < N / 2:
            idx = systematic_resample(weights, rng)
            particles = particles[idx]
            weights.fill(1.0 / N)
            resamplings += 1
    return np.array(means), resamplings


def arguments(size):
    rng = np.random.default_rng(5)
    x, seen = 0.1, []
    for k in range(2 * size):
        x = x / 2 + 25 * x / (1 + x**2) + 8 * np.cos(1.2 * k) + rng.normal()
        seen.append(x**2 / 20 + rng.normal())
    return np.array(seen), 20, rng
