"""The bilateral filter: smooth, but not across edges.

Source: Tomasi and Manduchi, "Bilateral filtering for gray and color images", 1998.
"""

import math

import numpy as np


def gaussian(x, sigma):
    return (1.0 / (2 * math.pi * (sigma**2))) * math.exp(-(x**2) / (2 * sigma**2))


def program(img, diameter=5, sigma_i=30.0, sigma_s=2.0):
    filtered = np.zeros_like(img)
    hl = diameter // 2
    for x in range(img.shape[0]):
        for y in range(img.shape[1]):
            i_filtered = 0
            Wp = 0
            for i in range(diameter):
                for j in range(diameter):
                    nx = x - (hl - i)
                    ny = y - (hl - j)
                    if nx < 0 or nx >= len(img) or not 0 <= ny < len(img[0]):
                        continue
                    gi = gaussian(float(img[nx, ny]) - float(img[x, y]), sigma_i)
                    gs = gaussian(math.sqrt((nx - x) ** 2 + (ny - y) ** 2), sigma_s)
                    w = gi * gs
                    i_filtered += img[nx][ny] * w
                    Wp += w
            filtered[x, y] = int(round(i_filtered / Wp))
    return filtered


def arguments(size):
    rng = np.random.default_rng(1)
    image = np.full((size + 2, size + 3), 60)
    image[:, size // 2 :] = 180
    return ((image + rng.integers(-20, 20, image.shape)).astype(np.uint8),)
