"""Iterators and generators that are asked step by step: what is lost, and what is left."""

from __future__ import annotations

import itertools

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.5, -2.0, 3.25, 4.0])
Y = np.array([10.0, 20.0])


def count_down(n):
    while n > 0:
        yield n
        n -= 1


def fibonacci(limit):
    a, b = 0, 1
    while a < limit:
        yield a
        a, b = b, a + b


def noisy(name, n):
    print("start", name)
    for i in range(n):
        print(name, i)
        yield i
    print("end", name)


def magnitudes(x):
    for v in x:
        if v > 0:
            yield v
        else:
            yield -v
            yield 0.5


def triangle(n):
    for i in range(n):
        for v in count_down(i):
            yield i * v
        yield -1


def both_ways(n):
    yield from range(n)
    yield 100
    yield from count_down(n)


def stops_early(n):
    for i in range(n):
        if i == 4:
            break
        yield i
    else:
        yield -1
    yield -2


def odd_numbers():
    i = 0
    while True:
        i += 1
        if i % 2 == 0:
            continue
        yield i
        if i > 20:
            return


# --- left in the middle ---------------------------------------------------------------------------


# A loop that is left, and another one that goes on.
@case((5,), (0,), (2,), (10,))
def resumed_after_break(n: int):
    numbers = count_down(n)
    total = 0
    for v in numbers:
        total += v
        if total > 6:
            break
    return total, list(numbers)


# next, with and without a default.
@case((0,), (1,), (2,), (3,), (100,))
def next_and_the_rest(n: int):
    numbers = fibonacci(n)
    a = next(numbers, -1)
    b = next(numbers, -2)
    return a, b, sum(numbers), next(numbers, None)


@case((0,), (1,), (2,), (5,))
def next_raises(n: int):
    numbers = fibonacci(n)
    next(numbers)
    next(numbers)
    return next(numbers)


# An iterator over an array, asked in a loop of a run-time number of rounds.
@case((X, 0), (X, 2), (X, 4), (X, 6), (X[:0], 1))
def next_in_a_loop(x: f64["n"], n: int):
    items = iter(x)
    total = 0.0
    for _ in range(n):
        total += next(items, 100.0)
    return total, list(items)


# StopIteration that is caught.
@case((X,), (X[:0],))
def until_stop_iteration(x: f64["n"]):
    items = iter(x)
    total = 0.0
    while True:
        try:
            v = next(items)
        except StopIteration:
            break
        total += v
    return total


# The test of a while asks.
@case((4,), (0,))
def asked_by_a_test(n: int):
    numbers = count_down(n)
    total = 0
    while (v := next(numbers, None)) is not None:
        total += v
    return total


# in and any go as far as they have to.
@case((100,), (5,), (0,), (6,))
def searched(n: int):
    numbers = fibonacci(n)
    return 5 in numbers, any(v > 10 for v in numbers), list(numbers)


# A loop that asks the iterator that it goes through.
@case((5,), (4,), (0,))
def asked_in_its_own_loop(n: int):
    numbers = count_down(n)
    pairs = []
    for v in numbers:
        w = next(numbers, 0)
        pairs.append(v * 10 + w)
    return pairs


# Loops in loops, else, break, continue and return between the yields.
@case((0,), (1,), (3,), (5,), (12,))
def left_in_nested_loops(n: int):
    first, second, third = triangle(n), both_ways(n), odd_numbers()
    a = [next(first, None) for _ in range(n)]
    b = [next(second, None), next(second, None)]
    c = [next(third) for _ in range(min(n, 11))]
    return a, b, c, list(first), list(second), sum(third)


# A nested function, whose variables others change in between.
@case((4,), (0,), (1,))
def between_the_steps(n: int):
    total = 0

    def sums():
        nonlocal total
        for i in range(n):
            total += i
            yield total

    found = sums()
    first = next(found, -1)
    total += 100
    return first, list(found), total


# A generator that yields things of different types.
@case((1,), (2,), (3,))
def texts_and_nothing(n: int):
    def sizes(k):
        if k > 2:
            yield "big"
        elif k > 1:
            yield "middle"
        else:
            return
        yield "end"

    return [next(sizes(i), "none") for i in range(4)], list(zip(sizes(n), sizes(2)))


# StopIteration does not leave a generator as such.
@case((2,), (0,))
def stop_in_a_generator(n: int):
    items = iter(range(n))

    def doubled():
        while True:
            yield next(items) * 2

    return list(doubled())


# --- side by side ---------------------------------------------------------------------------------


# zip asks the first one, finds the second used up, and the item is lost.
@case((5, 3), (3, 5), (4, 4), (0, 2), (2, 0))
def lost_item(n: int, m: int):
    a, b = iter(range(n)), iter(range(m))
    pairs = list(zip(a, b))
    return pairs, list(a), list(b)


@case((3, 2), (2, 3), (2, 2), (0, 1))
def order_of_steps(n: int, m: int):
    a, b = noisy("a", n), noisy("b", m)
    for p, q in zip(a, b):
        print(p, q)
    print("after")
    return list(a), list(b)


# One iterator, twice.
@case((6,), (7,), (0,), (1,))
def by_two(n: int):
    items = iter(range(n))
    return [a * 100 + b for a, b in zip(items, items)], list(items)


@case((4,), (0,), (20,))
def three_generators(n: int):
    return [(a, b, c) for a, b, c in zip(fibonacci(50), count_down(n), triangle(5))]


@case((X, Y), (X, X), (X[:0], X))
def generators_of_arrays(x: f64["n"], y: f64["m"]):
    return [a * b for a, b in zip(magnitudes(x), magnitudes(y))]


@case((2,), (4,), (5,), (0,))
def generators_with_else(n: int):
    return list(zip(stops_early(n), stops_early(n + 2)))


@case((0,), (6,), (10,))
def mapped_over_two(n: int):
    return list(map(lambda a, b: a - b, fibonacci(n), count_down(n)))


@case((2, 2), (2, 3), (3, 2), (0, 0))
def strict_generators(n: int, m: int):
    return list(zip(count_down(n), count_down(m), strict=True))


@case((X, 2), (X, 7), (X[:0], 0))
def padded_generators(x: f64["n"], n: int):
    return [a + b + c for a, b, c in itertools.zip_longest(x, count_down(n), (1, 2), fillvalue=0.5)]


# Generators that write to an array that the other one reads.
@case((X,))
def generators_with_effects(x: f64["n"]):
    def put(step):
        for k in range(3):
            x[k] += step
            yield x[k]

    return [a * b for a, b in zip(put(1.0), put(10.0))]


# --- lists that change ----------------------------------------------------------------------------


# A list iterator sees what is appended, until it was found to be used up.
@case((0,), (3,), (12,))
def list_that_grows(n: int):
    items = [i for i in range(n)]
    found = iter(items)
    total = 0
    for v in found:
        total += v
        if len(items) < 10:
            items.append(v + 1)
    items.append(5)
    return total, items, list(found)


@case((4,))
def list_that_changes_reversed(n: int):
    items = [1, 2, n]
    backwards = reversed(items)
    items.append(9)
    items[0] = 7
    return next(backwards), list(backwards), next(backwards, None)


# --- itertools ------------------------------------------------------------------------------------


@case((10, 6), (10, 7), (3, 9), (0, 2), (9, 1), (9, 0))
def slice_and_the_rest(n: int, stop: int):
    numbers = count_down(n)
    return list(itertools.islice(numbers, 1, stop, 2)), list(numbers)


@case((X, 1, 3), (X, 0, 0), (X, 2, 1), (X, 3, 9), (X, 5, 6), (X, -1, 2))
def run_time_slices(x: f64["n"], start: int, stop: int):
    items = iter(x)
    return list(itertools.islice(items, start, stop)), list(items)


@case((X, 3), (Y, 2), (X[:0], 1), (X[:0], 0))
def chain_that_is_resumed(x: f64["n"], n: int):
    items = itertools.chain(x, count_down(n), (1, 2))
    return next(items), next(items), list(items)


@case((6,), (3,), (0,), (4,))
def taken_and_dropped(n: int):
    numbers = count_down(n)
    large = list(itertools.takewhile(lambda v: v > 3, numbers))
    small = itertools.dropwhile(lambda v: v > 3, count_down(n))
    return large, list(numbers), next(small, None), list(small)


@case((4,), (1,), (0,))
def totals_and_pairs(n: int):
    totals = itertools.accumulate(count_down(n), lambda p, q: p * q, initial=2)
    pairs = itertools.pairwise(count_down(n))
    return next(totals), list(totals), next(pairs, None), list(pairs)


@case((Y, 5), (X, 2), (X[:0], 3))
def round_and_round(x: f64["n"], n: int):
    items = itertools.cycle(x)
    return [next(items, 0.0) for _ in range(n)]


@case((4,), (1,), (0,))
def two_readers_of_a_generator(n: int):
    left, right = itertools.tee(count_down(n))
    return next(left, 0), next(left, 0), list(right), list(left)


@case((10,), (0,), (1,), (3,))
def sums_of_groups(n: int):
    return [(key, sum(group)) for key, group in itertools.groupby(range(n), lambda v: v // 3)]


# A nan equals nothing, but it is the key of its own group (tests/frontend/test_groups.py).
@case((np.array([np.nan, -0.0, 0.0, np.nan, np.nan]),), ([None, 1.0, None, None],))
def groups_with_nan(x):
    return [(key, len(list(group))) for key, group in itertools.groupby(x)]


@case((np.array([np.nan, 1.0, 1.0]),))
def groups_with_nan_passed_over(x):
    keys = [key for key, _ in itertools.groupby(x)]
    return keys, [key for key, _ in itertools.groupby(x, key=lambda v: v * 2)]


# What is left of a group is passed over.
@case((12,), (0,), (1,))
def first_of_each_group(n: int):
    found = []
    for _, group in itertools.groupby((i * i % 7 for i in range(n)), key=lambda v: v > 2):
        found.append(next(group))
    return found


@case((5,), (0,), (3,))
def unequal_until_the_sentinel(n: int):
    items = iter(range(n))
    return list(iter(lambda: next(items, 3), 3)), list(items)


# --- exceptions -----------------------------------------------------------------------------------


# What an exception leaves in an iterator, and in a generator that has not raised it.
@case((4,), (1,), (0,))
def left_by_an_exception(n: int):
    numbers, items = count_down(n), iter(range(10))
    try:
        for v in numbers:
            next(items)
            if v == 2:
                raise ValueError
    except ValueError:
        pass
    return list(numbers), list(items)


# A generator that has raised is over.
@case((5,), (0,), (-1,))
def over_after_its_exception(n: int):
    def shares(k):
        while k > -3:
            k -= 1
            yield 12 // k

    numbers = shares(n)
    found = []
    try:
        for v in numbers:
            found.append(v)
    except ZeroDivisionError:
        found.append(-100)
    return found, next(numbers, None)
