"""Adaptive noise cancelling: normalised LMS against recursive least squares.

Source: Haykin, "Adaptive Filter Theory", chapters 6 and 10.
"""

import numpy as np


def nlms(d, x, taps, mu=0.5, eps=1e-6):
    w = np.zeros(taps)
    e = np.zeros_like(d)
    for n in range(taps - 1, len(d)):
        u = x[n - taps + 1 : n + 1][::-1]
        e[n] = d[n] - w @ u
        w += mu * e[n] * u / (eps + u @ u)
    return e, w


def rls(d, x, taps, lam=0.99, delta=100.0):
    w = np.zeros(taps)
    P = delta * np.eye(taps)
    e = np.zeros_like(d)
    for n in range(taps - 1, len(d)):
        u = x[n - taps + 1 : n + 1][::-1]
        Pu = P @ u
        k = Pu / (lam + u @ Pu)
        e[n] = d[n] - w @ u
        w = w + k * e[n]
        P = (P - np.outer(k, Pu)) / lam
    return e, w


def program(d, x, taps):
    results = {}
    for name, algorithm in (("nlms", nlms), ("rls", rls)):
        e, w = algorithm(d, x, taps)
        tail = e[len(e) // 2 :]
        results[name] = (w, np.sqrt(np.mean(tail**2)))
    better = min(results, key=lambda name: results[name][1])
    return results, better


def arguments(size):
    rng = np.random.default_rng(5)
    x = rng.normal(size=8 * size + 8)
    return np.convolve(x, [0.5, -0.3, 0.2])[: len(x)] + 0.01 * rng.normal(size=len(x)), x, 4
