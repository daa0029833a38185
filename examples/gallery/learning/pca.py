"""Principal components by power iteration with deflation.

Source: Hotelling, "Analysis of a complex of statistical variables into principal components", 1933.
"""

import numpy as np


class PCA:
    def __init__(self, n_components, tol=1e-10, max_iter=500):
        self.n_components = n_components
        self.tol = tol
        self.max_iter = max_iter

    def _dominant(self, C, rng):
        v = rng.normal(size=C.shape[0])
        v /= np.linalg.norm(v)
        eigenvalue = 0.0
        for self.n_iter_ in range(1, self.max_iter + 1):
            w = C @ v
            norm = np.linalg.norm(w)
            if norm < 1e-14:
                return v, 0.0
            w /= norm
            if w[np.argmax(np.abs(w))] < 0:
                w *= -1
            done = np.linalg.norm(w - v) < self.tol
            v, eigenvalue = w, norm
            if done:
                break
        return v, eigenvalue

    def fit(self, X, rng):
        self.mean_ = X.mean(axis=0)
        Xc = X - self.mean_
        C = Xc.T @ Xc / (len(X) - 1)
        total = np.trace(C)
        components, variances = [], []
        for _ in range(self.n_components):
            v, lam = self._dominant(C, rng)
            components.append(v)
            variances.append(lam)
            C = C - lam * np.outer(v, v)
        self.components_ = np.vstack(components)
        self.explained_variance_ratio_ = np.array(variances) / total
        return self

    def transform(self, X):
        return (X - self.mean_) @ self.components_.T


def program(X, n_components, rng):
    pca = PCA(n_components).fit(X, rng)
    scores = pca.transform(X)
    return scores, pca.explained_variance_ratio_, pca.n_iter_


def arguments(size):
    rng = np.random.default_rng(1)
    X = (
        rng.normal(size=(5 * size, 3))
        * np.array([3.0, 1.0, 0.2])
        @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    )
    return X, 2, rng
