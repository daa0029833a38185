"""Jacobi iteration for Laplace's equation on a plate with fixed sides, until it no longer changes.

Source: Barba and Forsyth, "CFD Python: the 12 steps to Navier-Stokes", step 9.
"""

import numpy as np


def laplace2d(p, y, dx, dy, l1norm_target):
    l1norm = 1.0
    pn = np.empty_like(p)
    iterations = 0
    while l1norm > l1norm_target:
        pn[:] = p
        p[1:-1, 1:-1] = (
            dy**2 * (pn[1:-1, 2:] + pn[1:-1, :-2]) + dx**2 * (pn[2:, 1:-1] + pn[:-2, 1:-1])
        ) / (2 * (dx**2 + dy**2))
        p[:, 0] = 0
        p[:, -1] = y
        p[0, :] = p[1, :]
        p[-1, :] = p[-2, :]
        l1norm = (np.sum(np.abs(p) - np.abs(pn))) / np.sum(np.abs(pn))
        iterations += 1
    return p, iterations


def program(nx, ny, target):
    dx, dy = 2 / (nx - 1), 1 / (ny - 1)
    p = np.zeros((ny, nx))
    y = np.linspace(0, 1, ny)
    p[:, -1] = y
    return laplace2d(p, y, dx, dy, target)


def arguments(size):
    return size + 3, size + 2, 1e-3
