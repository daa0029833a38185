"""Programs whose lists and dicts begin with None, or with another thing that is no number, and get
numbers and arrays later, or have one value by many keys. As those of ``held_programs``.
"""

from __future__ import annotations

import numpy as np

from tests.autodiff.held_programs import differentiable
from tests.autodiff.programs import X


@differentiable((X, 5, 2), (X, 3, 0))
def the_best_so_far(x, n, k):
    best = [None] * n
    for i in range(n):
        if i != k:
            best[i] = x * i
    total = 0.0
    for i in range(n):
        if best[i] is not None:
            total += (best[i] ** 2).sum()
    return total


@differentiable((X, 5, 2))
def none_under_two_names(x, n, k):
    best = [None] * n
    same = best
    best[k] = x * k
    same[0] = x * 3
    total = 0.0
    if best[0] is not None:
        total += (best[0] ** 2).sum()
    if same[k] is not None:
        total += (same[k] ** 3).sum()
    return total


@differentiable((X, 5, 2))
def none_of_a_comprehension(x, n, k):
    found = [None for _ in range(n)]
    for i in range(n):
        if i != k:
            found[i] = x.sum() * i
    total = 0.0
    for each in found:
        if each is not None:
            total += each * each
    return total


@differentiable((X, 4, 2))
def none_in_a_dict(x, n, k):
    found = {}
    for i in range(n):
        found[i] = None
    for i in range(n):
        if i != k:
            found[i] = x * i
    total = 0.0
    for each in found.values():
        if each is not None:
            total += (each * each).sum()
    return total


@differentiable((X, 3))
def the_cheapest_way_through_a_grid(x, n):
    grid = [[None] * n for _ in range(n)]
    grid[0][0] = x[0] * 1.0
    for i in range(n):
        for j in range(n):
            if i > 0:
                above = grid[i - 1][j]
                if above is not None:
                    cost = above * x[1] + i
                    if grid[i][j] is None or grid[i][j] > cost:
                        grid[i][j] = cost
            if j > 0:
                before = grid[i][j - 1]
                if before is not None:
                    cost = before + x[2] * x[2] * j
                    if grid[i][j] is None or grid[i][j] > cost:
                        grid[i][j] = cost
    return grid[n - 1][n - 1]


@differentiable((X, 4, 1))
def texts_that_become_arrays(x, n, k):
    found = ["" for _ in range(n)]
    found[k] = x * 2
    total = 0.0
    for each in found:
        if not isinstance(each, str):
            total += (each * each * each).sum()
    return total


@differentiable((X, 4), (0.7, 3))
def one_value_by_many_keys(x, n):
    found = dict.fromkeys(range(n), x)
    found[1] = x * x
    total = 0.0
    for key, each in found.items():
        total += np.sum(each * each) * key
    return total
