"""Predators and prey: Euler, Heun and a symplectic method side by side, chosen by name.

Source: Hairer, Lubich and Wanner, "Geometric Numerical Integration", section I.1.
"""

import math

import numpy as np


def derivative(u, v):
    return u * (v - 2), v * (1 - u)


def explicit_euler(u, v, h):
    du, dv = derivative(u, v)
    return u + h * du, v + h * dv


def heun(u, v, h):
    du, dv = derivative(u, v)
    du2, dv2 = derivative(u + h * du, v + h * dv)
    return u + h * (du + du2) / 2, v + h * (dv + dv2) / 2


def symplectic_euler(u, v, h):
    u = u / (1 - h * (v - 2))
    return u, v + h * v * (1 - u)


METHODS = {"euler": explicit_euler, "heun": heun, "symplectic": symplectic_euler}


def invariant(u, v):
    return math.log(u) - u + 2 * math.log(v) - v


def program(u0, v0, h, steps):
    results = {}
    for name, method in METHODS.items():
        u, v = u0, v0
        orbit = np.empty((steps, 2))
        for n in range(steps):
            u, v = method(u, v, h)
            if u <= 0 or v <= 0:
                orbit = orbit[:n]
                break
            orbit[n] = u, v
        drift = invariant(*orbit[-1]) - invariant(u0, v0)
        results[name] = orbit, drift
    return results


def arguments(size):
    return 2.0, 2.0, 0.12, 10 * size
