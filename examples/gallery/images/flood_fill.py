"""Counting blobs: flood fill with a stack of spans, and their areas, boxes and centroids.

Source: Smith, "Tint fill", 1979.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Blob:
    label: int
    area: int
    box: tuple
    centroid: tuple


def fill_span(img, labels, y, x, label):
    """Label the run of pixels around ``x``; return its ends."""
    left = x
    while left > 0 and img[y, left - 1] and not labels[y, left - 1]:
        left -= 1
    right = x
    while right < img.shape[1] - 1 and img[y, right + 1] and not labels[y, right + 1]:
        right += 1
    labels[y, left : right + 1] = label
    return left, right


def fill(img, labels, seed, label):
    pending = [seed]
    area, sum_y, sum_x = 0, 0, 0
    (top, lo) = (bottom, hi) = seed
    while len(pending):
        y, x = pending.pop()
        if labels[y, x]:
            continue
        left, right = fill_span(img, labels, y, x, label)
        n = right - left + 1
        area += n
        sum_y += y * n
        sum_x += (left + right) * n / 2
        top, bottom, lo, hi = min(top, y), max(bottom, y), min(lo, left), max(hi, right)
        for ny in (y - 1, y + 1):
            if not 0 <= ny < img.shape[0]:
                continue
            for nx in range(left, right + 1):
                if img[ny, nx] and not labels[ny, nx]:
                    pending.append((ny, nx))
    return Blob(label, area, (top, lo, bottom, hi), (sum_y / area, sum_x / area))


def program(img, min_area=2):
    labels = np.zeros(img.shape, dtype=int)
    blobs = []
    for y in range(img.shape[0]):
        for x in range(img.shape[1]):
            if img[y, x] and labels[y, x] == 0:
                blobs.append(fill(img, labels, (y, x), len(blobs) + 1))
    large = [b for b in blobs if b.area >= min_area]
    large.sort(key=lambda b: (-b.area, b.label))
    return labels, large


def arguments(size):
    return (np.random.default_rng(2).random((size + 3, size + 5)) < 0.55,)
