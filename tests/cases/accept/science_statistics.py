"""Statistics and learning: running moments, filters, clusters, sampling with given numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

DATA = np.array([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])
POINTS = np.array([[0.0, 0.0], [0.1, 0.2], [0.2, 0.0], [5.0, 5.0], [5.1, 5.1], [9.0, 0.0]])
UNIFORM = np.array([0.11, 0.92, 0.47, 0.35, 0.78, 0.02, 0.66, 0.59])


class Moments(NamedTuple):
    count: int
    mean: float
    spread: float

    def add(self, value):
        count = self.count + 1
        change = value - self.mean
        mean = self.mean + change / count
        return self._replace(count=count, mean=mean, spread=self.spread + change * (value - mean))

    @property
    def variance(self):
        return self.spread / (self.count - 1) if self.count > 1 else 0.0


# Welford's running variance as a named tuple that is replaced.
@case((DATA,), (DATA[:1],), (DATA[:0],))
def running_variance(data: f64["n"]):
    moments = Moments(0, 0.0, 0.0)
    for value in data:
        moments = moments.add(float(value))
    return moments, moments.variance


# A histogram of two variables by `np.add.at`, with what falls outside.
@case((POINTS, 3), (POINTS[:0], 2), (np.array([[0.0, 3.0], [-1.0, 0.0]]), 2))
def histogram_of_pairs(points: f64["n", 2], bins: int):
    counts = np.zeros((bins, bins), dtype=np.int64)
    cells = np.floor(points / 3.0).astype(np.int64)
    inside = ((cells >= 0) & (cells < bins)).all(axis=1)
    np.add.at(counts, (cells[inside, 0], cells[inside, 1]), 1)
    return counts, len(points) - int(inside.sum())


class Kalman:
    """Position and velocity from noisy positions."""

    def __init__(self, noise):
        self.x = np.zeros(2)
        self.p = np.eye(2)
        self.noise = noise
        self.transition = np.array([[1.0, 1.0], [0.0, 1.0]])

    def predict(self):
        self.x = self.transition @ self.x
        self.p = self.transition @ self.p @ self.transition.T + 0.01 * np.eye(2)

    def update(self, measured):
        innovation = measured - self.x[0]
        gain = self.p[:, 0] / (self.p[0, 0] + self.noise)
        self.x += gain * innovation
        self.p -= np.outer(gain, self.p[0])
        return innovation


# A Kalman filter made here.
@case((DATA, 0.5), (DATA, 0.0), (DATA[:0], 1.0))
def kalman(data: f64["n"], noise: float):
    state = Kalman(noise)
    worst = 0.0
    for measured in data:
        state.predict()
        worst = max(worst, abs(state.update(measured)))
    return state.x, state.p, worst


# ... of the caller, whose arrays change in place.
@case((Kalman(0.1), DATA[:3]), (Kalman(1.0), DATA[:1]))
def kalman_of_the_caller(state, data):
    before = state.x
    for measured in data:
        state.update(measured)
    return before is state.x, before


# Clusters by density: labels grow from each core point through a queue.
@case((POINTS, 0.5, 2), (POINTS, 10.0, 2), (POINTS, 0.01, 2), (POINTS[:0], 1.0, 1))
def clusters_by_density(points: f64["n", 2], radius: float, least: int):
    n = len(points)
    labels = np.full(n, -1)
    cluster = 0
    for i in range(n):
        if labels[i] != -1:
            continue
        near = np.nonzero(((points - points[i]) ** 2).sum(axis=1) <= radius**2)[0]
        if len(near) < least:
            continue
        labels[i] = cluster
        queue = [int(j) for j in near]
        while queue:
            j = queue.pop(0)
            if labels[j] != -1:
                continue
            labels[j] = cluster
            more = np.nonzero(((points - points[j]) ** 2).sum(axis=1) <= radius**2)[0]
            if len(more) >= least:
                queue.extend(int(k) for k in more)
        cluster += 1
    return labels, cluster


# Metropolis: the proposals and the dice are given.
@case((UNIFORM - 0.5, UNIFORM), (UNIFORM[:0], UNIFORM[:0]))
def metropolis(proposals: f64["n"], dice: f64["n"]):
    position, accepted, chain = 0.0, 0, []
    for shift, die in zip(proposals, dice, strict=True):
        candidate = position + 4 * float(shift)
        if die < math.exp(min(0.0, (position**2 - candidate**2) / 2)):
            position = candidate
            accepted += 1
        chain.append(position)
    return chain, accepted


# A bootstrap with given indexes: a row a resample.
@case((DATA, np.array([[0, 0, 7], [1, 2, 3]])), (DATA, np.array([[8, 0, 0]])))
def bootstrap(data: f64["n"], chosen: i64["r", "k"]):
    means = data[chosen].mean(axis=1)
    return means, np.sort(means)[len(means) // 2]


# A reservoir of k items, the dice given.
@case((DATA, UNIFORM, 3), (DATA, UNIFORM, 20))
def reservoir(data: f64["n"], dice: f64["n"], k: int):
    kept = []
    for i in range(len(data)):
        if len(kept) < k:
            kept.append(data[i])
        else:
            slot = int(dice[i] * (i + 1))
            if slot < k:
                kept[slot] = data[i]
    return kept


# The class of the nearest neighbours by vote.
@case(
    (POINTS, np.array([0, 0, 0, 1, 1, 2]), np.array([4.0, 4.0]), 3),
    (POINTS, np.arange(6), np.zeros(2), 1),
)
def nearest_neighbours(points: f64["n", 2], classes: i64["n"], query: f64[2], k: int):
    distances = np.sqrt(((points - query) ** 2).sum(axis=1))
    votes = np.bincount(classes[np.argsort(distances, kind="stable")[:k]])
    return int(np.argmax(votes)), votes


# Expectation and maximisation for two bells.
@case((DATA, 5), (DATA, 0))
def two_bells(data: f64["n"], rounds: int):
    centres = [data.min(), data.max()]
    weights = [0.5, 0.5]
    for _ in range(rounds):
        likely = np.stack(
            [w * np.exp(-((data - c) ** 2)) for w, c in zip(weights, centres, strict=True)]
        )
        likely /= likely.sum(axis=0)
        totals = likely.sum(axis=1)
        centres = [(likely[k] * data).sum() / totals[k] for k in range(2)]
        weights = [total / len(data) for total in totals]
    return centres, weights


# The distance of two empirical distributions: two indexes run along two sorted arrays.
@case((DATA, DATA + 1.0), (DATA, DATA), (np.array([1.0]), np.array([2.0, 3.0])))
def kolmogorov_smirnov(a: f64["m"], b: f64["n"]):
    a, b = np.sort(a), np.sort(b)
    i = j = 0
    widest = 0.0
    while i < len(a) and j < len(b):
        smallest = min(a[i], b[j])
        while i < len(a) and a[i] == smallest:
            i += 1
        while j < len(b) and b[j] == smallest:
            j += 1
        widest = max(widest, abs(i / len(a) - j / len(b)))
    return widest


@dataclass
class Confusion:
    classes: int
    counts: np.ndarray = field(init=False)

    def __post_init__(self):
        self.counts = np.zeros((self.classes, self.classes), dtype=int)

    def add(self, true, predicted):
        self.counts[true, predicted] += 1

    def recall(self, k):
        total = self.counts[k].sum()
        return self.counts[k, k] / total if total else math.nan


# A table of confusion as a dataclass with an array.
@case((np.array([0, 1, 2, 1]), np.array([0, 2, 2, 1])), (np.array([0, 3]), np.array([0, 0])))
def confusion(true: i64["n"], predicted: i64["n"]):
    table = Confusion(3)
    for t, p in zip(true, predicted, strict=True):
        table.add(t, p)
    return table.counts, [table.recall(k) for k in range(3)]


# The most likely path of hidden states.
@case((np.array([0, 1, 1, 0, 2]),), (np.array([2]),))
def most_likely_states(seen: i64["n"]):
    moves = np.log(np.array([[0.7, 0.3], [0.4, 0.6]]))
    shows = np.log(np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]))
    score = np.log(np.array([0.6, 0.4])) + shows[:, seen[0]]
    back = np.zeros((len(seen), 2), dtype=np.int64)
    for t in range(1, len(seen)):
        through = score[:, None] + moves
        back[t] = through.argmax(axis=0)
        score = through.max(axis=0) + shows[:, seen[t]]
    path = [int(score.argmax())]
    for t in range(len(seen) - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return path[::-1], score.max()


# Inequality of incomes, sorted in place for the caller.
@case((np.array([3.0, 1.0, 2.0]),), (np.array([5.0]),), (np.zeros(2),))
def inequality(incomes: f64["n"]):
    incomes.sort()
    n = len(incomes)
    ranks = np.arange(1, n + 1)
    return (2 * ranks - n - 1) @ incomes / (n * incomes.sum())


# The area under the curve of hits and false alarms, ties shared.
@case((np.array([0.9, 0.8, 0.8, 0.1]), np.array([1, 1, 0, 0])), (np.ones(2), np.array([0, 1])))
def area_under_curve(scores: f64["n"], labels: i64["n"]):
    wins = 0.0
    positive = scores[labels == 1]
    negative = scores[labels == 0]
    for p in positive:
        for q in negative:
            if p > q:
                wins += 1
            elif p == q:
                wins += 0.5
    return wins / (len(positive) * len(negative))


# A perceptron: the weights of the caller learn until nothing is wrong.
@case(
    (np.zeros(3), POINTS, np.array([-1, -1, -1, 1, 1, 1]), 10),
    (np.ones(3), POINTS[:1], np.array([1]), 1),
)
def perceptron(weights: f64[3], points: f64["n", 2], signs: i64["n"], limit: int):
    for epoch in range(limit):
        mistakes = 0
        for point, sign in zip(points, signs, strict=True):
            if sign * (weights[0] + weights[1:] @ point) <= 0:
                weights[0] += sign
                weights[1:] += sign * point
                mistakes += 1
        if not mistakes:
            return epoch
    return None
