"""Advection with slope limiters, chosen by name, and the convergence of each.

Source: Sweby, "High resolution schemes using flux limiters", 1984.
"""

import numpy as np


def minmod(r):
    return max(0.0, min(1.0, r))


def superbee(r):
    return max(0.0, min(2 * r, 1.0), min(r, 2.0))


def van_leer(r):
    return (r + abs(r)) / (1 + abs(r))


LIMITERS = {"upwind": lambda r: 0.0, "lax-wendroff": lambda r: 1.0, "minmod": minmod}
LIMITERS.update(superbee=superbee, vanleer=van_leer)


def advect(u, c, steps, phi):
    n = len(u)
    u = u.copy()
    flux = np.empty(n)
    for _ in range(steps):
        for i in range(n):
            du = u[(i + 1) % n] - u[i]
            r = (u[i] - u[i - 1]) / du if du != 0 else 0.0
            flux[i] = c * (u[i] + 0.5 * (1 - c) * phi(r) * du)
        u -= flux - np.roll(flux, 1)
    return u


def total_variation(u):
    return float(np.abs(np.diff(u, append=u[0])).sum())


def program(n, c):
    x = (np.arange(n) + 0.5) / n
    u0 = np.where(abs(x - 0.5) < 0.2, 1.0, 0.0)
    steps = round(n / c)
    table = {}
    for name, phi in LIMITERS.items():
        u = advect(u0, c, steps, phi)
        table[name] = {
            "error": np.abs(u - u0).mean(),
            "tv": total_variation(u),
            "monotone": bool(u.min() >= -1e-12 and u.max() <= 1 + 1e-12),
        }
    return table


def arguments(size):
    return 2 * size + 4, 0.5
