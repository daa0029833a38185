"""Generators: pipelines of them, what they hold, who consumes them and how far."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([4.0, -1.0, 3.0, 0.0, 7.0])


def positive(values):
    for value in values:
        if value > 0:
            yield value


def scaled(values, factor):
    for value in values:
        yield factor * value


def running_total(values):
    total = 0.0
    for value in values:
        total += value
        yield total


def paired(values):
    first = None
    for value in values:
        if first is None:
            first = value
        else:
            yield first, value
            first = None


# Three stages on an array.
@case((X, 2.0), (X[:0], 1.0), (-np.abs(X), 3.0))
def three_stages(x: f64["n"], factor: float):
    result = []
    for total in running_total(scaled(positive(x), factor)):
        result.append(total)  # noqa: PERF402
    return result


# ... consumed by builtins.
@case((X,), (X[:1],))
def consumed_by_builtins(x: f64["n"]):
    return sum(positive(x)), list(scaled(x, 2)), max(running_total(x)), any(v > 6 for v in x)


# Pairs of a run-time number of items; the last may be left over.
@case((5,), (4,), (0,))
def pairs_of_a_range(n: int):
    total = 0
    for a, b in paired(range(n)):
        total += a * b
    return total


# The loop ends before the generator does.
@case((X, 5.0), (X, 100.0))
def ends_early(x: f64["n"], limit: float):
    count = 0
    for total in running_total(x):
        count += 1
        if total > limit:
            break
    else:
        count = -count
    return count


# A generator that changes the caller's array between two items.
@case((X,))
def changes_between_items(x: f64["n"]):
    def marks():
        for i in range(len(x)):
            x[i] = -1.0
            yield i
            x[i] *= 2.0

    seen = 0.0
    for _ in marks():
        seen += x.sum()
    return seen


# Two generators of one function, each with its own state, one inside the other.
@case((3,), (0,))
def two_of_one(n: int):
    def counter(start, stop):
        while start < stop:
            yield start
            start += 2

    result = []
    for even in counter(0, n):
        for odd in counter(even + 1, n + 2):
            result.append(even * 10 + odd)  # noqa: PERF401
    return result


# `yield from` of several kinds of iterables.
@case((X[:2], 2))
def several_sources(x: f64["n"], n: int):
    def everything():
        yield from x
        yield from (10.0, 20.0)
        yield from range(n)
        yield -1.0

    return [v * 2 for v in everything()]


# A tree that is walked in order, known while compiling, with run-time leaves.
@case((1.0, 2.0))
def walked_tree(a: float, b: float):
    def walk(tree):
        if isinstance(tree, tuple):
            for branch in tree:
                yield from walk(branch)
        else:
            yield tree

    return list(walk(((a, (b, a)), b, ((a,),)))), sum(walk((a, (b,))))


# A generator expression in another, both with conditions.
@case((X,), (X[:0],))
def nested_expressions(x: f64["n"]):
    roots = (np.sqrt(v) for v in (w + 1 for w in x if w >= 0))
    return sum(r for r in roots if r < 2.5)


# Numbers of a sequence up to a bound.
@case((50,), (1,), (0,))
def up_to_a_bound(limit: int):
    def fibonacci():
        a, b = 0, 1
        while a < limit:
            yield a
            a, b = b, a + b

    return sum(fibonacci()), sum(1 for _ in fibonacci()), [f for f in fibonacci() if f % 2]


# A class whose `__iter__` is a generator, in a loop and unpacked.
class Grid:
    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns

    def __iter__(self):
        for i in range(self.rows):
            for j in range(self.columns):
                yield i, j


@case((2, 3), (0, 3), (1, 1))
def grid_of_cells(rows: int, columns: int):
    total = 0
    for i, j in Grid(rows, columns):
        total += 10 * i + j
    return total, sum(1 for _ in Grid(columns, rows))


# An error in a generator reaches the loop that consumes it.
@case((X, 2), (X, 9))
def error_in_a_generator(x: f64["n"], limit: int):
    def checked():
        for i, value in enumerate(x):
            if i == limit:
                raise OverflowError(f"item {i}")
            yield value

    total = 0.0
    try:
        for value in checked():
            total += value
    except OverflowError as error:
        return total, str(error)
    return total, None
