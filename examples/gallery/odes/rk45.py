"""The Dormand-Prince pair with step control and an event, on van der Pol's oscillator.

Source: Hairer, Nørsett and Wanner, "Solving Ordinary Differential Equations I", sections II.4 and
II.5.
"""

import functools
from dataclasses import dataclass

import numpy as np

C = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1])
A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
]
B = np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84])
E = np.array([-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40])


@dataclass
class Stats:
    nfev: int = 0
    accepted: int = 0
    rejected: int = 0


def van_der_pol(t, y, mu):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


def norm(x):
    return np.linalg.norm(x) / x.size**0.5


def solve(fun, t0, t1, y0, rtol=1e-5, atol=1e-8):
    stats = Stats()

    def f(t, y):
        stats.nfev += 1
        return fun(t, y)

    t, y = t0, np.asarray(y0, dtype=float)
    K = np.empty((7, len(y)))
    K[0] = f(t, y)
    h = 0.01 * (t1 - t0)
    ts, ys = [t], [y]
    crossings = []
    while t < t1:
        h = min(h, t1 - t)
        if h < 1e-12:
            break
        for s in range(1, 6):
            dy = sum(a * k for a, k in zip(A[s], K)) * h
            K[s] = f(t + C[s] * h, y + dy)
        y_new = y + h * (B @ K[:6])
        K[6] = f(t + h, y_new)
        scale = atol + np.maximum(np.abs(y), np.abs(y_new)) * rtol
        err = norm(h * (E @ K) / scale)
        if err > 1:
            stats.rejected += 1
            h *= max(0.2, 0.9 * err**-0.2)
            continue
        stats.accepted += 1
        if y[0] < 0 <= y_new[0]:
            crossings.append(t + h * y[0] / (y[0] - y_new[0]))
        t, y = t + h, y_new
        K[0] = K[6]
        ts.append(t)
        ys.append(y)
        h *= 5.0 if err == 0 else min(5.0, 0.9 * err**-0.2)
    return np.array(ts), np.stack(ys), crossings, stats


def program(y0, mu, end):
    return solve(functools.partial(van_der_pol, mu=mu), 0.0, end, y0)


def arguments(size):
    return [2.0, 0.0], 3.0, 1.0 * size
