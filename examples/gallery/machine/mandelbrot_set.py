"""Fractals: escape times with smooth colouring, Newton's basins, and the dimension by boxes.

Source: Peitgen and Richter, "The Beauty of Fractals", 1986.
"""

import math

import numpy as np


def escape(c, limit):
    z = 0
    for n in range(limit):
        z = z * z + c
        if abs(z) > 4:
            return n + 1 - math.log2(math.log(abs(z)))
    return math.inf


def basins(n, limit=20, eps=1e-6):
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    re, im = np.meshgrid(np.linspace(-1.5, 1.5, n), np.linspace(-1.5, 1.5, n))
    z = re + 1j * im
    steps = np.zeros(z.shape, dtype=np.uint8)
    active = np.ones(z.shape, dtype=bool)
    for _ in range(limit):
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(active, z - (z**3 - 1) / (3 * z**2), z)
        active &= np.abs(z[..., None] - roots).min(axis=-1) > eps
        steps += active
        if not active.any():
            break
    return np.abs(z[..., None] - roots).argmin(-1), steps


def box_dimension(mask):
    sizes, counts = [], []
    k = 1
    while k <= mask.shape[0] // 2:
        s = np.add.reduceat(
            np.add.reduceat(mask, np.arange(0, mask.shape[0], k), axis=0),
            np.arange(0, mask.shape[1], k),
            axis=1,
        )
        counts.append(np.count_nonzero((s > 0) & (s < k * k)) or 1)
        sizes.append(k)
        k *= 2
    if len(sizes) < 2:
        return None
    return -np.polyfit(np.log(sizes), np.log(counts), 1)[0]


def program(n, limit):
    image = np.empty((n, n))
    for i, y in enumerate(np.linspace(-1.2, 1.2, n)):
        for j, x in enumerate(np.linspace(-2.1, 0.7, n)):
            image[i, j] = escape(complex(x, y), limit)
    inside = np.isinf(image)
    image[inside] = 0
    root, steps = basins(n)
    return image, inside.mean(), root, steps, box_dimension(inside.astype(int))


def arguments(size):
    return 2 * size, 25
