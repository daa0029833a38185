"""The Lorenz system by the classical Runge-Kutta method, and its largest Lyapunov exponent.

Source: Lorenz, "Deterministic nonperiodic flow", 1963; Benettin et al., 1980.
"""

import numpy as np


def lorenz(t, y, sigma=10.0, rho=28.0, beta=8 / 3):
    x, y_, z = y
    return np.array([sigma * (y_ - x), x * (rho - z) - y_, x * y_ - beta * z])


def rk4(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def program(y0, h, steps, eps=1e-8):
    trajectory = np.zeros((steps + 1, 3))
    trajectory[0] = y0
    shadow = y0 + np.array([eps, 0, 0])
    log_growth = 0.0
    for n in range(steps):
        t = n * h
        trajectory[n + 1] = rk4(lorenz, t, trajectory[n], h)
        shadow = rk4(lorenz, t, shadow, h)
        d = shadow - trajectory[n + 1]
        dist = np.linalg.norm(d)
        log_growth += np.log(dist / eps)
        shadow = trajectory[n + 1] + d * (eps / dist)
    return trajectory, log_growth / (steps * h)


def arguments(size):
    return np.array([1.0, 1.0, 1.0]), 0.01, 10 * size
