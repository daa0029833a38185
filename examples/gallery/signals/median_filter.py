"""Removing spikes: a sliding median kept sorted by insertion, and Hampel's filter.

Source: Hampel, "The influence curve and its role in robust estimation", 1974.
"""

import bisect

import numpy as np


def sliding_median(x, half):
    padded = np.pad(x, half, mode="edge")
    window = sorted(padded[: 2 * half + 1].tolist())
    out = np.empty_like(x)
    out[0] = window[half]
    for i in range(1, len(x)):
        del window[bisect.bisect_left(window, padded[i - 1])]
        bisect.insort(window, float(padded[i + 2 * half]))
        out[i] = window[half]
    return out


def program(x, half=3, n_sigmas=3.0):
    k = 1.4826
    y = x.copy()
    outliers = []
    for i in range(half, len(x) - half):
        w = x[i - half : i + half + 1]
        m = np.median(w)
        s = k * np.median(np.abs(w - m))
        if abs(x[i] - m) > n_sigmas * s:
            y[i] = m
            outliers.append(i)
    return y, outliers, sliding_median(y, half)


def arguments(size):
    rng = np.random.default_rng(4)
    x = np.cumsum(rng.normal(size=5 * size))
    x[rng.random(5 * size) < 0.1] += 20
    return (x,)
