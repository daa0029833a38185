"""A decision tree by Gini impurity: nodes as dataclasses, grown by recursion.

Source: Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Node:
    label: int
    impurity: float
    feature: int = -1
    threshold: float = 0.0
    left: Node | None = None
    right: Node | None = None


def gini(counts):
    n = counts.sum()
    return 1.0 - ((counts / n) ** 2).sum() if n else 0.0


def best_split(X, y, n_classes):
    m = len(y)
    parent = np.bincount(y, minlength=n_classes)
    best = gini(parent)
    feature, threshold = None, None
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        left = np.zeros(n_classes, dtype=int)
        right = parent.copy()
        for i in range(1, m):
            c = y[order[i - 1]]
            left[c] += 1
            right[c] -= 1
            a, b = X[order[i - 1], j], X[order[i], j]
            if a == b:
                continue
            g = (i * gini(left) + (m - i) * gini(right)) / m
            if g < best - 1e-12:
                best, feature, threshold = g, j, (a + b) / 2
    return feature, threshold


def grow(X, y, n_classes, depth=0, max_depth=3):
    counts = np.bincount(y, minlength=n_classes)
    node = Node(int(np.argmax(counts)), gini(counts))
    if depth < max_depth and len(y) > 1:
        feature, threshold = best_split(X, y, n_classes)
        if feature is not None:
            mask = X[:, feature] < threshold
            node.feature, node.threshold = feature, threshold
            node.left = grow(X[mask], y[mask], n_classes, depth + 1, max_depth)
            node.right = grow(X[~mask], y[~mask], n_classes, depth + 1, max_depth)
    return node


def predict(node, x):
    while node.left is not None:
        node = node.left if x[node.feature] < node.threshold else node.right
    return node.label


def program(X, y):
    n_classes = int(y.max()) + 1
    root = grow(X, y, n_classes)
    predicted = np.array([predict(root, x) for x in X])
    return predicted, (predicted == y).mean(), root.feature, root.threshold


def arguments(size):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4 * size, 2))
    return X, (X[:, 0] * X[:, 1] > 0).astype(np.int64) + (X[:, 0] > 1)
