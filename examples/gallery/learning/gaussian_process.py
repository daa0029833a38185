"""Regression by a Gaussian process; the length scale by golden section on the marginal likelihood.

Source: Rasmussen and Williams, "Gaussian Processes for Machine Learning", algorithm 2.1.
"""

import numpy as np


def rbf(a, b, length, variance=1.0):
    sq = np.sum(a**2, 1).reshape(-1, 1) + np.sum(b**2, 1) - 2 * np.dot(a, b.T)
    return variance * np.exp(-0.5 / length**2 * sq)


def log_marginal_likelihood(X, y, length, noise):
    K = rbf(X, X, length) + noise**2 * np.eye(len(X))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return -0.5 * y.dot(alpha) - np.log(np.diagonal(L)).sum() - 0.5 * len(X) * np.log(2 * np.pi)


def golden_section(f, a, b, tol=1e-3):
    inv_phi = (np.sqrt(5) - 1) / 2
    c, d = b - inv_phi * (b - a), a + inv_phi * (b - a)
    fc, fd = f(c), f(d)
    evaluations = 2
    while abs(b - a) > tol:
        if fc > fd:
            b, d, fd = d, c, fc
            c = b - inv_phi * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + inv_phi * (b - a)
            fd = f(d)
        evaluations += 1
    return (a + b) / 2, evaluations


def program(X, y, X_new, noise=0.1):
    length, evaluations = golden_section(
        lambda l: log_marginal_likelihood(X, y, l, noise), 0.1, 3.0
    )
    K = rbf(X, X, length) + noise**2 * np.eye(len(X))
    K_s = rbf(X, X_new, length)
    K_inv = np.linalg.inv(K)
    mu = K_s.T.dot(K_inv).dot(y)
    cov = rbf(X_new, X_new, length) + 1e-8 * np.eye(len(X_new)) - K_s.T.dot(K_inv).dot(K_s)
    return mu, np.sqrt(np.maximum(np.diag(cov), 0)), length, evaluations


def arguments(size):
    rng = np.random.default_rng(2)
    X = np.sort(rng.uniform(-3, 3, size=(size + 1, 1)), axis=0)
    return (
        X,
        np.sin(X).ravel() + 0.1 * rng.normal(size=size + 1),
        np.linspace(-4, 4, 2 * size)[:, None],
    )
