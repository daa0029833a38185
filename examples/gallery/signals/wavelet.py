"""Denoising by wavelets: a Daubechies-4 pyramid, soft thresholds, and back.

Source: Donoho and Johnstone, "Ideal spatial adaptation by wavelet shrinkage", 1994.
"""

import numpy as np

S3 = np.sqrt(3.0)
LOW = np.array([1 + S3, 3 + S3, 3 - S3, 1 - S3]) / (4 * np.sqrt(2.0))
HIGH = LOW[::-1] * np.array([1, -1, 1, -1])


def analyse(x):
    n = len(x)
    approx, detail = np.zeros(n // 2), np.zeros(n // 2)
    for i in range(n // 2):
        for k in range(4):
            sample = x[(2 * i + k) % n]
            approx[i] += LOW[k] * sample
            detail[i] += HIGH[k] * sample
    return approx, detail


def synthesise(approx, detail):
    n = 2 * len(approx)
    x = np.zeros(n)
    for i in range(len(approx)):
        for k in range(4):
            x[(2 * i + k) % n] += LOW[k] * approx[i] + HIGH[k] * detail[i]
    return x


def soft(c, t):
    return np.sign(c) * np.maximum(np.abs(c) - t, 0.0)


def program(signal):
    details = []
    approx = signal
    while len(approx) > 4:
        approx, detail = analyse(approx)
        details.append(detail)
    sigma = np.median(np.abs(details[0])) / 0.6745
    threshold = sigma * np.sqrt(2 * np.log(len(signal)))
    kept = sum(int((np.abs(d) > threshold).sum()) for d in details)
    while details:
        approx = synthesise(approx, soft(details.pop(), threshold))
    return approx, kept


def arguments(size):
    n = 8 << int(np.log2(size))
    t = np.linspace(0, 1, n)
    noise = np.random.default_rng(6).normal(size=n)
    return (np.where(t > 0.4, 2.0, 0.0) + np.sin(6 * t) + 0.2 * noise,)
