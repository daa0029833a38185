"""Contrast: histogram equalisation, whole and by tiles with clipping, and Otsu's threshold.

Source: Zuiderveld, "Contrast limited adaptive histogram equalization", 1994; Otsu, 1979.
"""

import numpy as np


def histogram(image):
    hist = np.zeros(256, dtype=np.int64)
    for v in image.flat:
        hist[v] += 1
    return hist


def lookup(hist, pixels):
    cdf = hist.cumsum()
    nonzero = cdf[cdf > 0]
    if nonzero.size == 0 or pixels == nonzero[0]:
        return np.arange(256, dtype=np.uint8)
    lut = np.round((cdf - nonzero[0]) / (pixels - nonzero[0]) * 255)
    return np.clip(lut, 0, 255).astype(np.uint8)


def clip_histogram(hist, limit):
    excess = 0
    for i in range(len(hist)):
        if hist[i] > limit:
            excess += hist[i] - limit
            hist[i] = limit
    hist += excess // 256
    hist[: excess % 256] += 1
    return hist


def otsu(hist):
    total = hist.sum()
    sum_all = np.dot(np.arange(256), hist)
    weight = sum_b = 0
    best, threshold = -1.0, 0
    for t, h in enumerate(hist):
        weight += h
        if weight == 0:
            continue
        if weight == total:
            break
        sum_b += t * h
        between = (
            weight * (total - weight) * (sum_b / weight - (sum_all - sum_b) / (total - weight)) ** 2
        )
        if between > best:
            best, threshold = between, t
    return threshold


def program(image, tile=8, clip=2.5):
    whole = lookup(histogram(image), image.size)[image]
    tiled = np.empty_like(image)
    for y in range(0, image.shape[0], tile):
        for x in range(0, image.shape[1], tile):
            block = image[y : y + tile, x : x + tile]
            hist = clip_histogram(histogram(block), max(1, int(clip * block.size / 256)))
            tiled[y : y + tile, x : x + tile] = lookup(hist, block.size)[block]
    return whole, tiled, otsu(histogram(whole))


def arguments(size):
    rng = np.random.default_rng(3)
    return (rng.normal(110, 15, (2 * size + 3, 3 * size)).clip(0, 255).astype(np.uint8),)
