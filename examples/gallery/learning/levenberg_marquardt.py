"""Nonlinear least squares by Levenberg and Marquardt, Jacobian by differences, robust weights.

Source: Marquardt, 1963; Press et al., "Numerical Recipes", section 15.5.
"""

import numpy as np


def model(p, t):
    a, b, c, d = p
    return a * np.exp(-b * t) * np.cos(c * t) + d


def jacobian(f, p, t):
    J = np.empty((t.size, p.size))
    f0 = f(p, t)
    for i in range(p.size):
        dp = np.zeros_like(p)
        dp[i] = 1e-7 * max(1.0, abs(p[i]))
        J[:, i] = (f(p + dp, t) - f0) / dp[i]
    return J


def huber(r, k=1.345):
    scale = np.median(np.abs(r)) / 0.6745 or 1.0
    u = np.abs(r) / (k * scale)
    return np.where(u <= 1, 1.0, 1.0 / np.maximum(u, 1.0))


def program(t, y, p, max_iter=60):
    lam = 1e-2
    trace = []
    for k in range(max_iter):
        r = y - model(p, t)
        w = huber(r)
        cost = float(w @ r**2)
        J = jacobian(model, p, t)
        A = J.T @ (w[:, None] * J)
        g = J.T @ (w * r)
        trace.append(cost)
        for attempt in range(10):
            try:
                step = np.linalg.solve(A + lam * np.diag(np.diag(A)), g)
            except np.linalg.LinAlgError:
                lam *= 10
                continue
            r_new = y - model(p + step, t)
            if w @ r_new**2 < cost:
                p = p + step
                lam = max(lam / 10, 1e-12)
                break
            lam *= 10
        else:
            return p, trace, "stalled"
        if np.linalg.norm(step) < 1e-8 * (1 + np.linalg.norm(p)):
            return p, trace, "converged"
    return p, trace, "iterations"


def arguments(size):
    rng = np.random.default_rng(5)
    t = np.linspace(0, 4, 3 * size + 5)
    y = model(np.array([2.0, 0.5, 3.0, 0.3]), t) + 0.05 * rng.normal(size=t.size)
    y[size] += 2
    return t, y, np.array([1.5, 0.4, 2.8, 0.0])
