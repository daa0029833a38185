"""Builtin functions on sequences: `map`, `filter`, `zip`, `sorted`, `list`, `dict` and more."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0])
Y = np.array([10.0, 20.0, 30.0])


def square(v):
    return v * v


# map over a tuple, a range, an array; with two iterables.
@case((4, X), (0, X[:0]))
def mapped(n: int, x: f64["n"]):
    return (
        list(map(square, (n, n + 1))),
        tuple(map(lambda i: i * n, range(3))),
        sum(map(abs, x)),
        list(map(lambda a, b: a - b, (n, 2), (1, n))),
    )


# map stops with the shortest.
@case((5,), (2,))
def map_of_unequal_lengths(n: int):
    return list(map(lambda a, b, c: a + b * c, range(n), (1, 2, 3), [n] * 4))


# map in a `for` over a run-time range.
@case((5,), (0,))
def loop_over_a_map(n: int):
    total = 0
    for value in map(square, range(n)):
        total += value
    return total


# filter by a run-time condition.
@case((5, -2, 7), (-1, -1, -1))
def filtered(a: int, b: int, c: int):
    return list(filter(lambda v: v > 0, (a, b, c))), sum(filter(None, [a, 0, b]))


@case((10,), (0,))
def loop_over_a_filter(n: int):
    total = 0
    for value in filter(lambda v: v % 3 == 1, range(n)):
        total = total * 10 + value
    return total


@case((X,), (X[:0],))
def filter_of_an_array(x: f64["n"]):
    return [v * 2.0 for v in filter(lambda v: v > 0.0, x)]


# zip of tuples, of arrays, of none, and with strict.
@case((1, 2, X))
def zipped(a: int, b: int, x: f64["n"]):
    return list(zip((a, b), (b, a))), list(zip()), list(zip(x, (a, b))), dict(zip("xy", (a, b)))


@case((X, Y), (X, Y[:2]), (X[:0], Y[:0]))
def zip_that_is_strict(x, y):
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total = total + a * b
    return total


# Columns out of rows.
@case((1, 2, 3))
def transposed_by_zip(a: int, b: int, c: int):
    rows = [(a, b, c), (b, c, a)]
    return list(zip(*rows)), [sum(column) for column in zip(*rows)]


# enumerate as a list, with a start.
@case((5, X))
def enumerated(n: int, x: f64["n"]):
    return list(enumerate((n, n * 2))), list(enumerate("ab", n)), dict(enumerate(x[:2], 1))


# reversed of a tuple, a list, a range, an array, a dict.
@case((1, 2, X), (5, 0, X[:1]))
def reversed_sequences(a: int, b: int, x: f64["n"]):
    return (
        list(reversed((a, b, 7))),
        tuple(reversed([b, a])),
        list(reversed(range(a, 6))),
        list(reversed(x)),
        list(reversed({"k": a, "m": b})),
    )


# sorted by value, in reverse, by a key; stable.
@case((3, 1, 2), (2, 2, -2), (0, -1, -1))
def sorted_numbers(a: int, b: int, c: int):
    by_square = sorted((a, b, c), key=lambda v: -v * v)
    return sorted((a, b, c)), sorted([a, b, c], reverse=True), by_square


@case((3, 1, 2), (1, 1, 1))
def sorted_pairs(a: int, b: int, c: int):
    pairs = [(a, "x"), (b, "y"), (c, "z"), (a, "w")]
    by_number = sorted(pairs, key=lambda pair: pair[0])
    backwards = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    return by_number, [name for _, name in backwards], sorted(pairs)[0]


@case((X,), (X[:0],))
def sorted_array(x: f64["n"]):
    return sorted(x), sorted(x, key=abs), sorted(x.tolist(), reverse=True)


@case((5,), (0,))
def sorted_range(n: int):
    return sorted(range(n), key=lambda v: v % 3), sorted(range(n, 0, -2))


# sorted leaves its argument as it is; `sort` doesn't.
@case((3, 1, 2))
def sorted_and_sort(a: int, b: int, c: int):
    items = [a, b, c]
    ordered = sorted(items)
    before = items[:]
    items.sort(key=lambda v: -v)
    return ordered, before, items


# Texts, tuples and mixed numbers are sorted, too.
@case((2, 2.5))
def sorted_of_other_kinds(n: int, x: float):
    pairs = sorted([(2, n), (1, x), (1, n)])
    return sorted(["b", "a"]), pairs, sorted([x, n, True]), sorted({3, 1})


# list and tuple of each other, of ranges, of arrays, of texts, of dicts.
@case((3, X), (0, X[:0]))
def made_lists_and_tuples(n: int, x: f64["n"]):
    return (
        list((n, 1)),
        tuple([n]),
        list(range(n)),
        tuple(x),
        list("ab"),
        list({"k": n}),
        list(),
        tuple(),
    )


# list makes a copy.
@case((1, 2))
def copied_list(a: int, b: int):
    items = [a, b]
    other = list(items)
    other.append(a)
    same = items
    same.append(b)
    return items, other, tuple(items) is items


# dict of keywords, of pairs, of a dict.
@case((1, 2))
def made_dicts(a: int, b: int):
    table = dict(x=a, y=b)
    pairs = dict([("p", a), ("q", b)], r=3)
    other = dict(table, y=a)
    table["x"] = 9
    return table, pairs, other, dict()


# set of compile-time values; frozenset; their operators.
@case((2,))
def made_sets(n: int):
    low, high = set(range(3)), frozenset([2, 3])
    return sorted(low | high), sorted(low & high), len(set()), 2 in low, sorted(low - high), n


# len of everything.
@case((2, X), (0, X[:0]))
def lengths(n: int, x: f64["n"]):
    return len((n, n)), len([]), len({"a": n}), len("text"), len(range(n)), len(x), len({1, 1})


# range: length, items, slices, membership, attributes.
@case((3, 12, 4), (0, 0, 1), (5, -5, -3))
def parts_of_a_range(a: int, b: int, step: int):
    r = range(a, b, step)
    return len(r), list(r), r.start, r.stop, r.step, a in r, b in r


@case((10, 3), (10, -1), (10, 10))
def item_of_a_range(n: int, i: int):
    return range(n)[i], range(0, n, 2)[-1], range(n)[2:5]


# slice as an object.
@case((X, 1), (X, -1))
def slice_objects(x: f64["n"], k: int):
    part = slice(k, None)
    every_other = slice(None, None, 2)
    return x[part], (k, 2, 3)[every_other], part.start, every_other.step, slice(2)


# Conversions of iterators that were made before.
@case((1, 2))
def iterator_is_used_up(a: int, b: int):
    doubled = map(lambda v: v * 2, (a, b))
    first = list(doubled)
    second = list(doubled)
    return first, second


# iter and next.
@case((1, 2))
def next_of_an_iterator(a: int, b: int):
    items = iter((a, b))
    first = next(items)
    rest = list(items)
    return first, rest, next(items, -1), next(iter([]), None)


# One iterator in two zipped places: pairs.
@case((1, 2, 3, 4))
def pairs_of_one_iterator(a: int, b: int, c: int, d: int):
    items = iter([a, b, c, d])
    return list(zip(items, items))


# Nesting of several.
@case((3,), (1,))
def nested_builtins(n: int):
    words = {"a": n, "b": -n, "c": n * n}
    best = max(words.items(), key=lambda item: item[1])
    return (
        sum(map(lambda pair: pair[0] * pair[1], enumerate(sorted(words.values()), 1))),
        best,
        [key for key, _ in sorted(words.items(), key=lambda item: item[1])],
        any(map(lambda v: v < 0, words.values())),
    )


# max and min over a comprehension, with a default.
@case((5,), (0,))
def extremes_with_a_default(n: int):
    return (
        max((i * (4 - i) for i in range(n)), default=-1),
        min([i - 3 for i in range(n)], default=None),
        max(range(n), key=lambda i: (i * 7) % 5, default=0),
    )


# What the exception says where there is nothing to choose from is what this version of Python says.
@case((0,), (2,))
def extremes_of_nothing(n: int):
    said = []
    try:
        said.append(str(max([i for i in range(n)])))
    except ValueError as error:
        said.append(str(error))
    try:
        said.append(str(min((), key=abs)))
    except ValueError as error:
        said.append(str(error))
    return said


# The running sum by a list that grows.
@case((X,), (X[:0],))
def running_sum(x: f64["n"]):
    sums = [0.0]
    for value in x:
        sums.append(sums[-1] + float(value))
    return sums, len(sums), max(sums)


# all of a generator stops early.
@case((5, 0), (5, 9))
def all_stops_early(n: int, bad: int):
    return all(10 // (bad - i) > -100 for i in range(n) if i < 5)


# A slice of a range is a range, and so is what the caller gets.
@case((10, 1, 3), (10, -2, 100), (10, -100, -1), (0, 1, 2), (3, 5, 1))
def slices_of_a_range(n: int, i: int, j: int):
    r = range(1, n, 2)
    return r[i:j], list(r[i:]), sum(r[:j]), list(r[::-1]), list(r[j:i:-2]), len(r[i:j])


# The truth of a range, and whether two have the same items.
@case((0, 0), (3, 3), (1, 2), (4, 3))
def compared_ranges(n: int, m: int):
    return bool(range(n)), 1 if range(n, m) else 0, range(n) == range(m), range(m) != range(3)


# A run-time step of either sign; 0 raises.
@case((5, 2), (5, -1), (-5, -2), (3, 0))
def step_of_a_range(n: int, step: int):
    r = range(0, n, step)
    return [i for i in reversed(r)], n in r, n - step in r


# Positions are looked for from a place on, up to another one.
@case((1,), (-1,), (5,), (0,))
def positions_from(start: int):
    items = [3, 1, 3]
    try:
        return items.index(3, 1), items.index(1, 0, 2), (3, 1, 3).index(3, -2), items.index(3, start)
    except ValueError:
        return items.index(3, 0, start + 2)


# Numbers of NumPy count as Python's ints, floats don't count.
@case((np.int64(2),), (np.uint8(0),), (1.0,))
def counted_from(start):
    try:
        return [(type(i) is int, i, item) for i, item in enumerate("ab", start)]
    except TypeError:
        return list(enumerate("ab", True))


# NumPy compares a number with the items of a list; a set is looked for as a frozenset.
@case((np.int64(1),), (np.float32(2.5),))
def numbers_in_lists_of_lists(x):
    return x in [[1], [2]], x in ([2.5],), {1} in {1, 2}, {1} in {frozenset({1})}


# Of arrays without axes, max gives the array itself.
@case((0.5,), (3.0,), (np.float32(2),))
def extremes_of_arrays_without_axes(x):
    y = np.where(x > 1, x, 2 * x)
    return max(y, 1.5), min(1.5, y), max(y, np.asarray(x)), min([y, 1, x])


# What is an array of one dtype or of another is gone through beside others.
@case((np.ones((2, 3), np.float32), True), (np.arange(3.0), False))
def rows_of_one_type_or_another(x, is_wide):
    y = np.zeros(len(x)) if is_wide else x * 2
    total = sum(np.sum(a) * b for a, b in zip(x, reversed(y)))
    return total, [i * a for i, a in enumerate(y)], next(iter(y))
