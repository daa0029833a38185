"""Edges in the manner of Canny: blur, Sobel's gradients, thinning, hysteresis.

Source: Canny, "A computational approach to edge detection", 1986.
"""

import numpy as np

SOBEL_X = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])


def convolve(image, kernel):
    kh, kw = kernel.shape
    ph, pw = kh // 2, kw // 2
    padded = np.pad(image, ((ph, ph), (pw, pw)), mode="edge")
    out = np.zeros(image.shape)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            out[y, x] = np.sum(padded[y : y + kh, x : x + kw] * kernel)
    return out


def thin(magnitude, angle):
    M, N = magnitude.shape
    out = np.zeros_like(magnitude)
    angle = np.rad2deg(angle) % 180
    for i in range(1, M - 1):
        for j in range(1, N - 1):
            a = angle[i, j]
            if a < 22.5 or a >= 157.5:
                q, r = magnitude[i, j + 1], magnitude[i, j - 1]
            elif a < 67.5:
                q, r = magnitude[i + 1, j + 1], magnitude[i - 1, j - 1]
            elif a < 112.5:
                q, r = magnitude[i + 1, j], magnitude[i - 1, j]
            else:
                q, r = magnitude[i + 1, j - 1], magnitude[i - 1, j + 1]
            if magnitude[i, j] >= q and magnitude[i, j] >= r:
                out[i, j] = magnitude[i, j]
    return out


def hysteresis(img, low, high):
    strong, weak = np.uint8(255), np.uint8(75)
    marks = np.zeros(img.shape, dtype=np.uint8)
    marks[img >= high] = strong
    marks[(img >= low) & (img < high)] = weak
    stack = list(zip(*np.nonzero(marks == strong)))
    while stack:
        i, j = stack.pop()
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                y, x = i + di, j + dj
                if 0 <= y < img.shape[0] and 0 <= x < img.shape[1] and marks[y, x] == weak:
                    marks[y, x] = strong
                    stack.append((y, x))
    marks[marks != strong] = 0
    return marks


def program(image, low_ratio=0.1, high_ratio=0.3):
    g = np.exp(-(np.arange(-2, 3) ** 2) / 2.0)
    smooth = convolve(image.astype(float), np.outer(g, g) / g.sum() ** 2)
    gx, gy = convolve(smooth, SOBEL_X), convolve(smooth, SOBEL_X.T)
    magnitude = np.hypot(gx, gy)
    thinned = thin(magnitude, np.arctan2(gy, gx))
    high = thinned.max() * high_ratio
    return hysteresis(thinned, high * low_ratio, high)


def arguments(size):
    n = size + 6
    y, x = np.mgrid[:n, :n]
    disc = np.where((y - n / 2) ** 2 + (x - n / 2) ** 2 < (n / 3) ** 2, 200, 30)
    return ((disc + np.random.default_rng(0).integers(0, 10, (n, n))).astype(np.uint8),)
