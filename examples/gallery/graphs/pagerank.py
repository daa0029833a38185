"""PageRank over lists of links, dangling pages and teleports included.

Source: Page, Brin, Motwani and Winograd, "The PageRank citation ranking", 1999.
"""

import numpy as np


def program(src, dst, n, damping=0.85, tol=1e-9, max_iter=200):
    out_degree = np.bincount(src, minlength=n)
    dangling = out_degree == 0
    rank = np.ones(n) / n
    for it in range(max_iter):
        contribution = np.zeros(n)
        share = rank / np.where(dangling, 1, out_degree)
        np.add.at(contribution, dst, share[src])
        new = (1 - damping) / n + damping * (contribution + rank[dangling].sum() / n)
        delta = np.abs(new - rank).sum()
        rank = new
        if delta < tol:
            break
    else:
        raise RuntimeError("PageRank did not converge")
    order = np.argsort(rank)[::-1]
    top = [(int(page), round(float(rank[page]), 6)) for page in order[:5]]
    return rank, it, top


def arguments(size):
    rng = np.random.default_rng(3)
    return rng.integers(0, size, 3 * size), rng.integers(0, size, 3 * size) ** 2 % size, size
