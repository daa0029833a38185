"""Conjugate gradients with Jacobi preconditioning, for an operator that is a function.

Source: Shewchuk, "An Introduction to the Conjugate Gradient Method Without the Agonizing Pain",
1994.
"""

from typing import NamedTuple

import numpy as np


class Result(NamedTuple):
    x: np.ndarray
    converged: bool
    iterations: int
    residuals: list


def cg(apply, b, diagonal, tol=1e-8, maxiter=None):
    x = np.zeros_like(b)
    r = b - apply(x)
    z = r / diagonal
    p = z
    rz = r @ z
    residuals = [float(np.sqrt(r @ r))]
    target = tol * residuals[0]
    if maxiter is None:
        maxiter = 10 * len(b)
    for it in range(maxiter):
        if residuals[-1] <= target:
            return Result(x, True, it, residuals)
        Ap = apply(p)
        alpha = rz / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        z = r / diagonal
        rz_new = r @ z
        p = z + (rz_new / rz) * p
        rz = rz_new
        residuals.append(float(np.sqrt(r @ r)))
    return Result(x, False, maxiter, residuals)


def program(b, shift):
    def laplacian(u):
        v = (2.0 + shift) * u
        v[1:] -= u[:-1]
        v[:-1] -= u[1:]
        return v

    return cg(laplacian, b, diagonal=2.0 + shift)


def arguments(size):
    rng = np.random.default_rng(6)
    return rng.normal(size=size), 0.1
