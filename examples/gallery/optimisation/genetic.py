"""Evolution: a genetic algorithm for knapsacks and differential evolution for real functions.

Source: Goldberg, 1989; Storn and Price, "Differential evolution", 1997.
"""

import numpy as np


def tournament(population, fitness, rng, k=3):
    best = None
    for _ in range(k):
        i = rng.integers(len(population))
        if best is None or fitness[i] > fitness[best]:
            best = i
    return population[best]


def crossover(a, b, rng):
    point = rng.integers(1, len(a)) if len(a) > 1 else 0
    return np.concatenate((a[:point], b[point:])), np.concatenate((b[:point], a[point:]))


def genetic(weights, values, capacity, rng, size=12, generations=15, p_mutation=0.05):
    n = len(weights)
    population = [rng.integers(0, 2, n) for _ in range(size)]
    history = []

    def evaluate(genome):
        w = (genome * weights).sum()
        return int((genome * values).sum()) if w <= capacity else int(capacity - w)

    for _ in range(generations):
        fitness = [evaluate(g) for g in population]
        elite = population[max(range(size), key=fitness.__getitem__)]
        history.append(max(fitness))
        children = [elite.copy()]
        while len(children) < size:
            a = tournament(population, fitness, rng)
            b = tournament(population, fitness, rng)
            for child in crossover(a, b, rng):
                flips = rng.random(n) < p_mutation
                child[flips] ^= 1
                children.append(child)
        population = children[:size]
    best = max(population, key=evaluate)
    return best, evaluate(best), history


def differential(f, bounds, rng, size=10, F=0.8, CR=0.9, generations=20):
    lo, hi = bounds.T
    X = lo + rng.random((size, len(lo))) * (hi - lo)
    cost = np.array([f(x) for x in X])
    for _ in range(generations):
        for i in range(size):
            a, b, c = X[rng.choice([j for j in range(size) if j != i], 3, replace=False)]
            mutant = np.clip(a + F * (b - c), lo, hi)
            mask = rng.random(len(lo)) < CR
            mask[rng.integers(len(lo))] = True
            trial = np.where(mask, mutant, X[i])
            if (c_trial := f(trial)) <= cost[i]:
                X[i], cost[i] = trial, c_trial
    return X[cost.argmin()], cost.min()


def program(weights, values, capacity, bounds, rng):
    genome, value, history = genetic(weights, values, capacity, rng)
    x, cost = differential(
        lambda v: float(np.sum(v**2 - 3 * np.cos(4 * v)) + 3 * len(v)), bounds, rng
    )
    return genome, value, history, x, cost


def arguments(size):
    rng = np.random.default_rng(1)
    w = rng.integers(1, 10, size)
    return w, w + rng.integers(0, 4, size), 3 * size, np.array([[-2.0, 2.0]] * 2), rng
