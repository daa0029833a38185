"""Recursion that reads and writes lists and dicts of the module, of a closure, and of an object."""

from __future__ import annotations

from functools import wraps

import numpy as np

from tests.support.cases import case

KNOWN = {0: 0, 1: 1}
LOG = []
SEEN = {}


def fibonacci(n):
    if n not in KNOWN:
        KNOWN[n] = fibonacci(n - 1) + fibonacci(n - 2)
    return KNOWN[n]


def with_default(n, known={}):  # noqa: B006
    if n in known:
        return known[n]
    known[n] = n if n < 2 else with_default(n - 1) + with_default(n - 2)
    return known[n]


def memoized(function):
    cache = {}

    @wraps(function)
    def inner(n):
        if n not in cache:
            cache[n] = function(n)
        return cache[n]

    inner.cache = cache
    return inner


@memoized
def triangle(n):
    return 0 if n <= 0 else n + triangle(n - 1)


class Table:
    def __init__(self, step):
        self.step = step
        self.known = {}

    def at(self, n):
        if n < 2:
            return n * self.step
        if n not in self.known:
            self.known[n] = self.at(n - 1) + self.at(n - 2)
        return self.known[n]


TABLE = Table(3)


# A table of results at module level.
@case((12,), (0,))
def table_of_the_module(n: int):
    return fibonacci(n), len(KNOWN)


# ... in a default that every call shares.
@case((12,), (0,))
def table_in_a_default(n: int):
    return with_default(n)


# ... in the closure of a decorator.
@case((12,), (0,))
def table_of_a_decorator(n: int):
    return triangle(n), triangle(n + 1), len(triangle.cache)


# ... in an object.
@case((12,), (0,))
def table_of_an_object(n: int):
    return TABLE.at(n), len(TABLE.known)


def walk(k):
    LOG.append(k)
    if k > 0:
        walk(k - 1)
        LOG[-1] += 100
        walk(k - 2)
    return len(LOG)


# A log that every call writes to, read before and after.
@case((4,), (0,))
def log_of_all_calls(n: int):
    LOG.append(-1)
    return walk(n), LOG[0], LOG[-1], len(LOG)


def count_down(k, notes):
    if k == 0:
        return len(SEEN)
    notes[k] = k
    return count_down(k - 1, notes)


# The argument is the dict that the function also finds by its name.
@case((4,), (0,))
def argument_and_global(n: int):
    SEEN[100] = 5
    return count_down(n, SEEN), SEEN[100], len(SEEN)


def ping(k):
    LOG.append(k)
    return pong(k - 1) if k > 0 else "ping"


def pong(k):
    SEEN[k] = k / 2
    return ping(k - 1) if k > 0 else "pong"


# Two functions that call each other, each with a container of its own.
@case((4,), (1,), (0,))
def containers_of_two_functions(n: int):
    return ping(n), LOG, SEEN


class TooMuch(Exception):
    pass


WEIGHTS = np.array([1.5, 2.0])


def weighed(n):
    total = 0
    for i in range(n):
        total += weighed(i)
        try:
            if total > i:
                raise TooMuch(total)
        except TooMuch:
            total += 1
        if total > 5:
            total += WEIGHTS[1]
    return total


# What is read from outside behind the recursive call alone: a class and an array.
@case((4,), (1,), (0,))
def reads_behind_the_call(n: int):
    return weighed(n)
