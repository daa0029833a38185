"""Heat diffusion by alternating directions: Thomas's algorithm along rows, then along columns.

Source: Peaceman and Rachford, 1955; Press et al., "Numerical Recipes", sections 2.4 and 20.3.
"""

import numpy as np


def thomas(a, b, c, d):
    """Solve a tridiagonal system for every column of ``d`` at once."""
    n = d.shape[0]
    cp = np.empty(n)
    dp = np.empty_like(d)
    cp[0] = c / b
    dp[0] = d[0] / b
    for i in range(1, n):
        m = 1.0 / (b - a * cp[i - 1])
        cp[i] = c * m
        dp[i] = (d[i] - a * dp[i - 1]) * m
    x = dp
    for i in range(n - 2, -1, -1):
        x[i] -= cp[i] * x[i + 1]
    return x


def half_step(u, lam):
    rhs = (1 - 2 * lam) * u
    rhs[:, 1:] += lam * u[:, :-1]
    rhs[:, :-1] += lam * u[:, 1:]
    return thomas(-lam, 1 + 2 * lam, -lam, rhs)


def program(u, dt, dx, steps):
    lam = dt / (2 * dx * dx)
    history = []
    for n in range(steps):
        u = half_step(u, lam)
        u = half_step(u.T, lam).T
        if n % 2 == 0:
            history.append(u.sum())
    return u, np.array(history)


def arguments(size):
    x = np.linspace(-2, 2, size)
    return np.exp(-(x[:, None] ** 2) - x**2), 0.05, 4 / size, 8
