"""0/1 knapsack: the table with the items chosen, and branch and bound with the fractional bound.

Source: Martello and Toth, "Knapsack Problems", chapter 2.
"""

import numpy as np


def table(weights, values, capacity):
    n = len(weights)
    best = np.zeros((n + 1, capacity + 1), dtype=np.int64)
    for i in range(1, n + 1):
        w, v = weights[i - 1], values[i - 1]
        best[i] = best[i - 1]
        if w <= capacity:
            best[i, w:] = np.maximum(best[i, w:], best[i - 1, : capacity + 1 - w] + v)
    chosen, c = [], capacity
    for i in range(n, 0, -1):
        if best[i, c] != best[i - 1, c]:
            chosen.append(i - 1)
            c -= weights[i - 1]
    return int(best[n, capacity]), chosen[::-1]


def branch_and_bound(weights, values, capacity):
    order = sorted(range(len(weights)), key=lambda i: values[i] / weights[i], reverse=True)
    best = 0
    visited = 0

    def bound(depth, room, value):
        for i in order[depth:]:
            if weights[i] > room:
                return value + values[i] * room / weights[i]
            room -= weights[i]
            value += values[i]
        return value

    stack = [(0, capacity, 0)]
    while stack:
        depth, room, value = stack.pop()
        visited += 1
        best = max(best, value)
        if depth == len(order) or bound(depth, room, value) <= best:
            continue
        i = order[depth]
        stack.append((depth + 1, room, value))
        if weights[i] <= room:
            stack.append((depth + 1, room - weights[i], value + values[i]))
    return best, visited


def program(weights, values, capacity):
    total, chosen = table(weights, values, capacity)
    best, visited = branch_and_bound(weights.tolist(), values.tolist(), capacity)
    if best != total:
        raise AssertionError(f"{best} is not {total}")
    return total, chosen, visited


def arguments(size):
    rng = np.random.default_rng(2)
    weights = rng.integers(1, 12, size=size)
    return weights, weights + rng.integers(0, 5, size=size), 4 * size
