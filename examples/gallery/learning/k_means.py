"""K-means: k-means++ seeds, Lloyd's iterations, empty clusters taken care of.

Source: Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", 2007.
"""

import numpy as np


def kmeans_plusplus(X, k, rng):
    centers = [X[rng.integers(len(X))]]
    while len(centers) < k:
        d2 = np.min([((X - c) ** 2).sum(axis=1) for c in centers], axis=0)
        if d2.sum() == 0:
            centers.append(X[rng.integers(len(X))])
            continue
        centers.append(X[rng.choice(len(X), p=d2 / d2.sum())])
    return np.array(centers)


def program(X, k, rng, max_iter=50, tol=1e-6):
    centers = kmeans_plusplus(X, k, rng)
    labels = np.full(len(X), -1)
    for iteration in range(max_iter):
        distances = np.linalg.norm(X[:, None] - centers[None, :], axis=2)
        new_labels = distances.argmin(axis=1)
        if (new_labels == labels).all():
            break
        labels = new_labels
        old = centers.copy()
        for c in range(k):
            members = X[labels == c]
            if len(members) == 0:
                centers[c] = X[distances.min(axis=1).argmax()]
            else:
                centers[c] = members.mean(axis=0)
        if np.abs(centers - old).max() < tol:
            break
    inertia = sum(((X[labels == c] - centers[c]) ** 2).sum() for c in range(k))
    return centers, labels, inertia, iteration


def arguments(size):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 0.5, size=(size + 1, 2)) for c in (0.0, 3.0, 6.0)])
    return X, 3, rng
