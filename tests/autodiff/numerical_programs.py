"""Programs as numerical work has them; see ``programs``."""

from __future__ import annotations

import heapq

import numpy as np

from tests.autodiff.programs import X, differentiable


@differentiable((X, 3))
def kalman_filter(x, n):
    m, p = np.array([x[0], 0.0]), np.eye(2) * x[1]
    f, h = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    r = np.array([[x[3]]])
    likelihood = 0.0
    for k in range(n):
        m, p = f @ m, f @ p @ f.T + np.eye(2) * x[2]
        s = h @ p @ h.T + r
        y = np.array([0.3 * k]) - h @ m
        gain = np.linalg.solve(s, h @ p).T
        m, p = m + gain @ y, p - gain @ s @ gain.T
        likelihood -= 0.5 * (y @ np.linalg.solve(s, y) + np.log(np.linalg.det(s)))
    return likelihood + m.sum()


@differentiable((X, 4))
def best_path(x, n):
    steps, score, back = np.outer(x[:2], x[2:]), np.zeros((n, 2)), np.zeros((n, 2), int)
    for t in range(1, n):
        for j in range(2):
            candidates = score[t - 1] + steps[:, j]
            back[t, j] = np.argmax(candidates)
            score[t, j] = candidates[back[t, j]] + x[t % 4] * j
    path = [int(np.argmax(score[-1]))]
    for t in range(n - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return score.max() + sum(x[place] for place in path) * score[2, 0]


@differentiable((X, 2))
def two_grids(x, n):
    def relax(u, f, k):
        for _ in range(k):
            u[1:-1] = 0.5 * (u[2:] + u[:-2] - f[1:-1])
        return u

    f, u = np.concatenate([x, x, x[:1]]), np.zeros(9)
    for _ in range(n):
        u, r = relax(u, f, 2), np.zeros(9)
        r[1:-1] = f[1:-1] - (u[2:] - 2 * u[1:-1] + u[:-2])
        e = relax(np.zeros(5), r[::2] * 4, 3)
        u[::2] += e
        u[1::2] += 0.5 * (e[1:] + e[:-1])
    return (u**2).sum()


@differentiable((X, 3), (X, 0))
def arrays_that_nobody_reads_at_the_end(x, n):
    s = x[3]
    for j in range(1, n + 1):
        u, v, k = x[:j] * x[0], x * 2, 0
        while k < j and len(u) < 9:
            k += 1
            s += u.sum() * v[0]
            u = np.concatenate([u, x[:1] * s])
            v = u[1:] * x[0]
    return s


@differentiable((X, 3))
def forces_between_pairs(x, n):
    where = np.outer(x, x[:3]) + np.eye(4, 3)
    push = np.zeros_like(where)
    for _ in range(n - 1):
        for i in range(4):
            for j in range(4):
                if i == j:
                    continue
                apart = where[j] - where[i]
                push[i] += 0.1 * x[j] * apart / (np.sqrt((apart**2).sum() + 0.1)) ** 3
        where = where + push
    return (where**2).sum()


@differentiable((X, 4))
def products_of_sizes_that_rounds_tell(x, n):
    total = 0.0
    for i in range(n):
        for j in range(n):
            if i != j:
                product = np.outer(x[:j] - x[i], x)
                total += (product**3).sum()
    return total**2


@differentiable((X, 3))
def elements_of_what_loops_add_up(x, n):
    speed, where = np.full(4, 0.1), x
    for _ in range(n):
        where = where + speed
        made = np.zeros_like(where)
        for i in range(4):
            made[i] += where[i] * x[i]
        speed = made
    return (where**2).sum()


@differentiable((X, 5))
def paths_that_are_drawn(x, n):
    rng, total = np.random.default_rng(3), 0.0
    for _ in range(n):
        value = np.exp(x * rng.normal(size=4))
        total += np.maximum(value - 1.5, 0).sum()
    return total


@differentiable((X, 3))
def attention_to_all_states_so_far(x, n):
    states = [np.zeros(4)]
    for i in range(n):
        weights = np.exp(np.stack([state @ x for state in states]))
        context = sum(weight * state for weight, state in zip(weights, states, strict=True))
        states.append(np.tanh(x * context / weights.sum() + i))
    return states[-1].sum()


@differentiable((X,))
def places_in_the_order_of_what_is_there(x):
    order = sorted(range(len(x)), key=lambda i: x[i])
    costs = [value * x[0] for value in x]
    last = list(range(len(x)))
    last.sort(key=costs.__getitem__, reverse=True)
    best = heapq.nlargest(2, range(len(x)), key=lambda i: costs[i])
    total = sum(rank * x[i] ** 2 for rank, i in enumerate(order))
    return total + x[last[0]] * costs[last[1]] + sum(costs[i] ** 2 for i in best)
