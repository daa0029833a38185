"""Methods that are compiled with `self`: bound ones, in place, with state across calls."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
M = np.arange(6.0).reshape(2, 3)


class Filter:
    """A low-pass filter with memory."""

    def __init__(self, keep):
        self.keep = keep
        self.last = 0.0
        self.calls = 0


# Each program takes `self`, as a method does.
@case((Filter(0.5), 2.0), (Filter(0.0), -0.0))
def filters_one(self, x):
    self.last = self.keep * self.last + (1.0 - self.keep) * x
    self.calls += 1
    return self.last


# A whole signal, into a new array.
@case((Filter(0.5), X), (Filter(0.9), X[:0]))
def filters_many(self, x):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = filters_one(self, x[i])
    return out


class Adam:
    """Moments that are made at the first step."""

    def __init__(self, rate):
        self.rate = rate
        self.step = 0
        self.m = None
        self.v = None


# Attributes that are None until the first call.
@case((Adam(0.1), X.copy(), X * 2.0))
def adam(self, x, gradient):
    if self.m is None:
        self.m = np.zeros_like(x)
        self.v = np.zeros_like(x)
    self.step += 1
    self.m += 0.1 * (gradient - self.m)
    self.v += 0.001 * (gradient**2 - self.v)
    m = self.m / (1 - 0.9**self.step)
    v = self.v / (1 - 0.999**self.step)
    x -= self.rate * m / (np.sqrt(v) + 1e-8)
    return x


class Buffer:
    """A list that is emptied when it is full."""

    def __init__(self, size):
        self.size = size
        self.items = []
        self.flushed = []


# A list of `self` is exchanged for a new one.
@case((Buffer(2), 5), (Buffer(10), 3), (Buffer(1), 0))
def fills_a_buffer(self, n):
    for i in range(n):
        self.items.append(i)
        if len(self.items) == self.size:
            self.flushed.append(sum(self.items))
            self.items = []
    return len(self.items)


class Cache:
    """Remembers results by a compile-time key."""

    def __init__(self):
        self.table = {}
        self.misses = 0


# A dict of `self`.
@case((Cache(), 3.0))
def remembers(self, x):
    total = 0.0
    for key in ("a", "b", "a"):
        if key not in self.table:
            self.misses += 1
            self.table[key] = x * self.misses
        total += self.table[key]
    return total


class Scaler:
    """Fits a mean and a width, then applies them."""

    def __init__(self):
        self.mean = None
        self.width = None

    def fit(self, m):
        self.mean = m.mean(axis=0)
        self.width = m.std(axis=0)
        return self

    def apply(self, m):
        if self.mean is None:
            raise RuntimeError("not fitted")
        return (m - self.mean) / self.width


# Fit and apply in a chain.
@case((Scaler(), M))
def fits_and_applies(self, m):
    return self.fit(m).apply(m), self.mean


# Applied before it is fitted: RuntimeError at the first call.
@case((Scaler(), M, False), (Scaler(), M, True))
def applies(self, m, fit):
    if fit:
        self.fit(m)
    return self.apply(m)


class Walker:
    """Walks over a grid, and marks where it was."""

    def __init__(self, n):
        self.grid = np.zeros((n, n), dtype=np.int64)
        self.i = self.j = 0
        self.di, self.dj = 0, 1

    def turn(self):
        self.di, self.dj = self.dj, -self.di

    def ahead(self):
        return self.i + self.di, self.j + self.dj

    def is_free(self, i, j):
        return 0 <= i < len(self.grid) and 0 <= j < len(self.grid) and self.grid[i, j] == 0


# Methods that call methods, in a run-time loop with breaks.
@case((Walker(3), 20), (Walker(4), 5), (Walker(1), 3))
def walks(self, steps):
    for step in range(1, steps + 1):
        self.grid[self.i, self.j] = step
        if not self.is_free(*self.ahead()):
            self.turn()
            if not self.is_free(*self.ahead()):
                break
        self.i, self.j = self.ahead()
    return step, self.i, self.j


class Matrix:
    """Rows that are exchanged and scaled in place."""

    def __init__(self, rows):
        self.rows = rows
        self.sign = 1

    def exchange(self, i, j):
        if i != j:
            self.rows[[i, j]] = self.rows[[j, i]]
            self.sign = -self.sign


# A determinant by elimination, in place.
@case((Matrix(np.array([[0.0, 2.0], [3.0, 4.0]])),), (Matrix(np.zeros((2, 2))),))
def determinant(self):
    n = len(self.rows)
    product = 1.0
    for k in range(n):
        pivot = k + np.argmax(np.abs(self.rows[k:, k]))
        if self.rows[pivot, k] == 0.0:
            return 0.0
        self.exchange(k, pivot)
        product *= self.rows[k, k]
        for i in range(k + 1, n):
            self.rows[i, k:] -= self.rows[i, k] / self.rows[k, k] * self.rows[k, k:]
    return self.sign * product


class Queue:
    """Two stacks."""

    def __init__(self, *items):
        self.incoming = list(items)
        self.outgoing = []

    def push(self, item):
        self.incoming.append(item)

    def pop(self):
        if not self.outgoing:
            while self.incoming:
                self.outgoing.append(self.incoming.pop())
        return self.outgoing.pop()


# A queue of two stacks; an empty one: IndexError.
@case((Queue(1, 2), 3), (Queue(), 1), (Queue(), 0))
def two_stacks(self, n):
    for i in range(n):
        self.push(10 * i)
    first = self.pop()
    self.push(first)
    return first, self.pop() if self.outgoing else None
