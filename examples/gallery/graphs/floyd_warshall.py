"""All shortest paths, with the paths themselves and the detection of negative cycles.

Source: Floyd, "Algorithm 97: shortest path", 1962; PolyBench/C 4.2, ``floyd-warshall``.
"""

import numpy as np


def shortest_paths(dist):
    n = len(dist)
    nxt = np.full((n, n), -1)
    for i in range(n):
        for j in range(n):
            if np.isfinite(dist[i, j]):
                nxt[i, j] = j
    for k in range(n):
        for i in range(n):
            if dist[i, k] == np.inf:
                continue
            for j in range(n):
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
                    nxt[i, j] = nxt[i, k]
        if (np.diag(dist) < 0).any():
            raise ValueError("negative cycle")
    return nxt


def route(nxt, u, v):
    if nxt[u, v] < 0:
        return []
    path = [u]
    while u != v:
        u = int(nxt[u, v])
        path.append(u)
    return path


def program(weights):
    dist = weights.copy()
    np.fill_diagonal(dist, 0.0)
    nxt = shortest_paths(dist)
    n = len(dist)
    routes = {}
    for target in range(1, n):
        path = route(nxt, 0, target)
        if path:
            routes[target] = path
    reachable = np.isfinite(dist)
    return dist, routes, dist[reachable].max()


def arguments(size):
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 20, size=(size, size)).astype(float)
    weights[rng.random((size, size)) < 0.6] = np.inf
    return (weights,)
