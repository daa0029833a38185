"""Mixtures of normal distributions by expectation and maximisation, chosen by BIC.

Source: Dempster, Laird and Rubin, 1977; Bishop, "Pattern Recognition and Machine Learning", 9.2.
"""

import numpy as np


def log_normal(X, mean, cov):
    d = X.shape[1]
    L = np.linalg.cholesky(cov)
    z = np.linalg.solve(L, (X - mean).T)
    return -0.5 * (z**2).sum(axis=0) - np.log(np.diag(L)).sum() - 0.5 * d * np.log(2 * np.pi)


def logsumexp(a, axis):
    m = a.max(axis=axis, keepdims=True)
    return np.squeeze(m, axis=axis) + np.log(np.exp(a - m).sum(axis=axis))


class GaussianMixture:
    def __init__(self, k, reg=1e-3):
        self.k, self.reg = k, reg

    def fit(self, X, rng, max_iter=30, tol=1e-5):
        n, d = X.shape
        self.weights = np.full(self.k, 1 / self.k)
        self.means = X[rng.choice(n, self.k, replace=False)].copy()
        self.covs = np.array([np.cov(X.T) + self.reg * np.eye(d)] * self.k)
        previous = -np.inf
        for self.iterations in range(1, max_iter + 1):
            logp = np.stack(
                [
                    np.log(self.weights[j]) + log_normal(X, self.means[j], self.covs[j])
                    for j in range(self.k)
                ],
                axis=1,
            )
            total = logsumexp(logp, axis=1)
            self.score = total.sum()
            r = np.exp(logp - total[:, None])
            nk = r.sum(axis=0) + 1e-10
            self.weights = nk / n
            self.means = (r.T @ X) / nk[:, None]
            for j in range(self.k):
                diff = X - self.means[j]
                self.covs[j] = (r[:, j, None] * diff).T @ diff / nk[j] + self.reg * np.eye(d)
            if abs(self.score - previous) < tol * abs(self.score):
                break
            previous = self.score
        return self

    def bic(self, n, d):
        p = self.k * (d + d * (d + 1) / 2) + self.k - 1
        return p * np.log(n) - 2 * self.score


def program(X, rng, kmax=3):
    models = [GaussianMixture(k).fit(X, rng) for k in range(1, kmax + 1)]
    scores = {m.k: float(m.bic(*X.shape)) for m in models}
    best = min(models, key=lambda m: m.bic(*X.shape))
    return best.k, best.weights, best.means, scores, best.iterations


def arguments(size):
    rng = np.random.default_rng(4)
    return np.concatenate(
        [rng.normal(0, 0.5, (size + 3, 2)), rng.normal(3, 0.7, (size + 4, 2))]
    ), rng
