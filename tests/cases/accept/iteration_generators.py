"""Generator expressions and generator functions that are consumed on the spot."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
M = np.array([[1.0, 2.0], [3.0, -4.0]])


# --- generator expressions ------------------------------------------------------------------------


# sum of a generator over a run-time range.
@case((5,), (0,))
def sum_of_squares(n: int):
    return sum(i * i for i in range(n))


# sum over an array, with a condition and a start.
@case((X, 0.0), (X, 9.0), (X[:0], 0.0))
def sum_of_an_array(x: f64["n"], limit: float):
    return sum(v * v for v in x), sum((v for v in x if v > limit), 0.0)


# any and all end at the first that decides.
@case((6, 4), (6, 9), (0, 1))
def any_and_all(n: int, k: int):
    return any(i == k for i in range(n)), all(i < k for i in range(n))


@case((4, 2), (4, 9))
def any_ends_before_an_error(n: int, k: int):
    return any(i == k or 10 // (3 - i) > 100 for i in range(n))


# min and max, with a key and a default.
@case((6,), (1,), (0,))
def extremes(n: int):
    lowest = min((i % 4 - i for i in range(n)), default=None)
    return max((i * (5 - i) for i in range(n)), default=-9), lowest


@case((X,))
def largest_by_a_key(x: f64["n"]):
    return max((v for v in x), key=abs), min((abs(v), i) for i, v in enumerate(x))


# sorted, list, tuple, dict, set.
@case((4,), (0,))
def made_of_generators(n: int):
    return (
        sorted((i * 7) % 5 for i in range(n)),
        list(i + 1 for i in range(n)),
        tuple(i * 0.5 for i in range(n)),
        dict((k, n) for k in "ab"),
        sorted(set(i % 2 for i in range(4))),
    )


# join of texts.
@case((3,))
def joined_texts(n: int):
    return ", ".join(f"{i * n}" for i in range(3)), "-".join(c.upper() for c in "abc")


# A generator over two loops.
@case((4,), (0,))
def pairs(n: int):
    return sum(i * j for i in range(n) for j in range(i, n) if (i + j) % 2)


# A generator in a generator.
@case((4, 3), (0, 3))
def nested_generators(n: int, m: int):
    return sum(sum(i * j for j in range(m)) for i in range(n)), max(max(r) for r in M)


# A `for` over a generator, with `break` and `else`.
@case((20,), (3,))
def loop_over_a_generator(n: int):
    total = 0
    for square in (i * i for i in range(n)):
        if square > 50:
            break
        total += square
    else:
        total = -total
    return total


# A generator reads variables when it runs, not when it is made.
@case((3,), (0,))
def generator_binds_late(n: int):
    k = 1
    values = (i * k for i in range(n))
    k = 10
    return list(values)


# But its first iterable is evaluated at once.
@case((3,))
def first_iterable_is_early(n: int):
    values = (i for i in range(n))
    n = 100
    return list(values), n


# A generator is used up.
@case((3,))
def used_up(n: int):
    values = (i * n for i in (1, 2, 3))
    return sum(values), sum(values)


# next of a generator.
@case((10, 4), (10, 20))
def first_that_fits(n: int, limit: int):
    return next((i for i in range(n) if i * i > limit), -1)


# zip of generators.
@case((4,))
def zipped_generators(n: int):
    return [a - b for a, b in zip((i * i for i in range(n)), (j for j in range(n, 0, -1)))]


# An unpacked generator.
@case((3,))
def unpacked_generator(n: int):
    a, b = (i * n for i in (1, 2))
    first, *rest = (i + n for i in range(3))
    return a, b, first, rest, max(*(i * n for i in (1, -1)))


# --- generator functions --------------------------------------------------------------------------


def count_down(n):
    while n > 0:
        yield n
        n -= 1


def fibonacci(limit):
    a, b = 0, 1
    while a < limit:
        yield a
        a, b = b, a + b


def windows(x, size):
    for i in range(len(x) - size + 1):
        yield x[i : i + size]


def evens(items):
    for item in items:
        if item % 2:
            continue
        yield item


def flattened(rows):
    for row in rows:
        yield from row


def halves(x):
    while True:
        if x < 1.0:
            return
        yield x
        x /= 2.0


# A `for` over a generator function.
@case((4,), (0,))
def loop_over_a_generator_function(n: int):
    total = 0
    for k in count_down(n):
        total = total * 10 + k
    return total


# list, sum, max, sorted of a generator function.
@case((30,), (0,))
def consumed_by_builtins(limit: int):
    return list(fibonacci(limit)), sum(fibonacci(limit)), max(fibonacci(limit), default=-1)


# enumerate and zip of one.
@case((3,), (0,))
def enumerated_and_zipped(n: int):
    return [(i, k) for i, k in enumerate(count_down(n))], list(zip(count_down(n), fibonacci(100)))


# A generator of arrays.
@case((X, 2), (X, 3), (X, 9))
def moving_sums(x: f64["n"], size: int):
    total = np.float64(0.0)
    for window in windows(x, size):
        total += window.sum() * window[0]
    return total


# A generator that consumes another.
@case((10,), (0,))
def chain_of_generators(n: int):
    return sum(k * k for k in evens(count_down(n))), list(evens(fibonacci(n)))


# `yield from` a tuple of tuples, of a range, of another generator.
@case((1, 2))
def yield_from(a: int, b: int):
    return list(flattened([(a, b), range(b), count_down(a)])), sum(flattened(((a,), (b, b))))


# A `return` ends a generator.
@case((5.0,), (0.5,))
def generator_with_a_return(x: float):
    return list(halves(x)), sum(halves(x), 0.0)


# The consumer leaves before the generator ends.
@case((40,), (3,))
def left_early(limit: int):
    steps = 0
    for value in fibonacci(10**6):
        if value > limit:
            break
        steps += 1
    return steps, value


# A generator in a nested function reads and writes what is around.
@case((3,), (0,))
def generator_with_nonlocal(n: int):
    made = 0

    def numbers():
        nonlocal made
        for i in range(n):
            made += 1
            yield i * made

    total = sum(numbers())
    return total, made


# What a generator does happens between the rounds of the loop.
@case((3,), (0,))
def order_of_a_generator(n: int):
    log = []

    def steps():
        log.append("start")
        for i in range(n):
            log.append(i)
            yield i * 10
        log.append("end")

    for value in steps():
        log.append(value)
    return log


# The body of a generator doesn't run before it is asked.
@case((0,), (2,))
def generator_starts_late(n: int):
    def broken():
        yield 10 // n

    values = broken()
    log = ["made"]
    try:
        log.extend(values)
    except ZeroDivisionError:
        log.append("error")
    return log


# Several yields in one body.
@case((3,), (-3,))
def several_yields(n: int):
    def signs():
        yield n
        if n > 0:
            yield -n
        yield 0

    return list(signs()), [v * 2 for v in signs()]


# Pairs are yielded.
@case((X,), (X[:0],))
def pairs_are_yielded(x: f64["n"]):
    def indexed():
        for i in range(len(x)):
            yield i, x[i]

    total = np.float64(0.0)
    for i, value in indexed():
        total += i * value
    return total, dict(indexed())


# A recursive generator over a static structure.
def leaves(tree):
    if isinstance(tree, list):
        for branch in tree:
            yield from leaves(branch)
    else:
        yield tree


@case((1, 2))
def recursive_generator(a: int, b: int):
    return list(leaves([a, [b, [a + b]], []])), sum(leaves([[a], b]))


# A method that yields.
class Grid:
    def __init__(self, size):
        self.size = size

    def __iter__(self):
        for i in range(self.size):
            yield i * i

    def cells(self):
        for i in range(self.size):
            for j in range(i):
                yield i, j


@case((4,), (0,))
def methods_that_yield(n: int):
    grid = Grid(n)
    return list(grid), sum(i * j for i, j in grid.cells()), [v for v in grid if v > 1]


# try/finally inside of a generator that runs to its end.
@case((2,), (0,))
def generator_with_finally(n: int):
    log = []

    def values():
        try:
            for i in range(n):
                yield i
        finally:
            log.append("closed")

    total = sum(values())
    return total, log
