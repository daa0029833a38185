"""Regression: least squares with errors, ridge by cross-validation, logistic by reweighting.

Source: Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", chapters 3 and 4.
"""

import numpy as np


def ols(X, y):
    n, p = X.shape
    Q, R = np.linalg.qr(X)
    beta = np.linalg.solve(R, Q.T @ y)
    residuals = y - X @ beta
    dof = n - p
    sigma2 = residuals @ residuals / dof if dof > 0 else np.nan
    R_inv = np.linalg.inv(R)
    se = np.sqrt(sigma2 * (R_inv**2).sum(axis=1))
    return {"beta": beta, "se": se, "t": beta / se, "r2": 1 - residuals.var() / y.var()}


def folds(n, k, rng):
    idx = rng.permutation(n)
    for part in np.array_split(idx, k):
        mask = np.ones(n, bool)
        mask[part] = False
        yield idx[mask[idx]], part


def ridge_cv(X, y, lambdas, rng, k=3):
    errors = np.zeros(len(lambdas))
    for train, test in folds(len(y), k, rng):
        A, b = X[train], y[train]
        for i, lam in enumerate(lambdas):
            beta = np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ b)
            errors[i] += ((y[test] - X[test] @ beta) ** 2).sum()
    best = lambdas[int(errors.argmin())]
    return best, errors / len(y)


def logistic(X, labels, max_iter=25, ridge=1e-3):
    beta = np.zeros(X.shape[1])
    deviance = []
    for _ in range(max_iter):
        eta = X @ beta
        mu = 1 / (1 + np.exp(-eta))
        deviance.append(-2 * np.sum(np.where(labels, np.log(mu), np.log1p(-mu))))
        W = mu * (1 - mu)
        step = np.linalg.solve(
            (X.T * W) @ X + ridge * np.eye(len(beta)), X.T @ (labels - mu) - ridge * beta
        )
        beta += step
        if np.max(np.abs(step)) < 1e-8:
            break
    return beta, deviance


def program(X, y, rng):
    X = np.column_stack((np.ones(len(X)), X))
    fit = ols(X, y)
    lam, errors = ridge_cv(X, y, np.logspace(-2, 2, 5), rng)
    beta, deviance = logistic(X, y > np.median(y))
    report = []
    for name, b, s in zip(["intercept", "x1", "x2"], fit["beta"], fit["se"]):
        stars = "***" if abs(b) > 3 * s else "*" if abs(b) > 2 * s else ""
        report.append(f"{name:>10} {b:8.3f} ({s:.3f}){stars}")
    return fit, lam, errors, beta, deviance, "\n".join(report)


def arguments(size):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(4 * size + 4, 2))
    return X, 1 + X @ np.array([2.0, -0.5]) + 0.3 * rng.normal(size=len(X)), rng
