"""Breadth first search on a graph in compressed rows: level by level, top down or bottom up.

Source: Beamer, Asanović and Patterson, "Direction-optimizing breadth-first search", 2012.
"""

import numpy as np


def build_csr(n, edges):
    degree = np.zeros(n, dtype=np.int64)
    for u, v in edges:
        degree[u] += 1
        degree[v] += 1
    indptr = np.concatenate(([0], np.cumsum(degree)))
    indices = np.empty(indptr[-1], dtype=np.int64)
    fill = indptr[:-1].copy()
    for u, v in edges:
        indices[fill[u]] = v
        fill[u] += 1
        indices[fill[v]] = u
        fill[v] += 1
    return indptr, indices


def top_down(frontier, indptr, indices, level, depth):
    following = []
    for u in frontier:
        for v in indices[indptr[u] : indptr[u + 1]]:
            if level[v] == -1:
                level[v] = depth
                following.append(v)
    return following


def bottom_up(indptr, indices, level, depth):
    following = []
    for v in np.flatnonzero(level == -1):
        for u in indices[indptr[v] : indptr[v + 1]]:
            if level[u] == depth - 1:
                following.append(v)
                break
    for v in following:
        level[v] = depth
    return following


def program(n, edges, source):
    indptr, indices = build_csr(n, edges)
    level = np.full(n, -1)
    level[source] = 0
    frontier = [source]
    depth = 0
    switches = 0
    while len(frontier) > 0:
        depth += 1
        if 4 * len(frontier) > n:
            frontier = bottom_up(indptr, indices, level, depth)
            switches += 1
        else:
            frontier = top_down(frontier, indptr, indices, level, depth)
    return level, depth, switches


def arguments(size):
    rng = np.random.default_rng(1)
    return 2 * size, rng.integers(0, 2 * size, size=(3 * size, 2)), 0
