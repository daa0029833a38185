"""Minimum spanning tree of points in the plane: Kruskal's algorithm against Prim's.

Source: Kruskal, 1956; Prim, 1957; Cormen et al., "Introduction to Algorithms", chapter 23.
"""

import itertools

import numpy as np


def find(parent, i):
    if parent[i] != i:
        parent[i] = find(parent, parent[i])
    return parent[i]


def kruskal(points):
    n = len(points)
    edges = []
    for i, j in itertools.combinations(range(n), 2):
        edges.append((np.hypot(*(points[i] - points[j])), i, j))
    edges.sort()
    parent = np.arange(n)
    rank = np.zeros(n, dtype=int)
    tree = []
    for w, i, j in edges:
        a, b = find(parent, i), find(parent, j)
        if a == b:
            continue
        if rank[a] < rank[b]:
            parent[a] = b
        else:
            parent[b] = a
            if rank[a] == rank[b]:
                rank[a] += 1
        tree.append((i, j, w))
        if len(tree) == n - 1:
            break
    return tree


def prim(points):
    n = len(points)
    in_tree = np.zeros(n, dtype=bool)
    in_tree[0] = True
    nearest = np.linalg.norm(points - points[0], axis=1)
    total = 0.0
    for _ in range(n - 1):
        v = np.argmin(np.where(in_tree, np.inf, nearest))
        total += nearest[v]
        in_tree[v] = True
        np.minimum(nearest, np.linalg.norm(points - points[v], axis=1), out=nearest)
    return total


def program(points):
    tree = kruskal(points)
    total = sum(w for *_, w in tree)
    assert np.isclose(total, prim(points)), "the two trees differ in weight"
    return tree, total


def arguments(size):
    return (np.random.default_rng(5).random((size, 2)),)
