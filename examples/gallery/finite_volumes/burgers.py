"""Burgers' equation by Godunov's method.

Source: LeVeque, "Finite Volume Methods for Hyperbolic Problems", section 12.2.
"""

import numpy as np


def godunov_flux(ul, ur):
    """The flux of the exact solution of the Riemann problem."""
    if ul > ur:
        s = (ul + ur) / 2
        u = ul if s > 0 else ur
    else:
        if ul > 0:
            u = ul
        elif ur < 0:
            u = ur
        else:
            u = 0
    return 0.5 * u * u


def program(u, dx, t_end, cfl=0.8):
    n = len(u)
    t = 0.0
    steps = 0
    total0 = u.sum() * dx
    while t < t_end:
        a = max(np.abs(u).max(), 1e-12)
        dt = min(cfl * dx / a, t_end - t)
        flux = np.array([godunov_flux(u[i - 1], u[i]) for i in range(n)])
        u = u - dt / dx * (np.roll(flux, -1) - flux)
        t += dt
        steps += 1
        if steps > 1000:
            raise RuntimeError(f"too many steps at t = {t:.3g}")
    return u, steps, abs(u.sum() * dx - total0)


def arguments(size):
    x = (np.arange(4 * size) + 0.5) / (4 * size)
    return np.sin(2 * np.pi * x) + 0.3, 1 / (4 * size), 0.3
