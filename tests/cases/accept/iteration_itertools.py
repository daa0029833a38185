"""`itertools` on sequences whose lengths are known, and on run-time counts and arrays."""

from __future__ import annotations

import itertools
import operator
from itertools import accumulate, chain, count, islice, pairwise, product, repeat, zip_longest

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
Y = np.array([10.0, 20.0])


# product of ranges and tuples.
@case((2, 3), (5, -1))
def products(a: int, b: int):
    squares = [i * j for i, j in product(range(2), repeat=2)]
    return list(product((a, b), (1, 2))), squares, list(product())


@case((3, 2), (0, 2))
def product_of_run_time_ranges(n: int, m: int):
    total = 0
    for i, j in product(range(n), range(m)):
        total = total * 3 + i * j
    return total


@case((X, Y))
def product_of_arrays(x: f64["n"], y: f64["m"]):
    return sum(a * b for a, b in product(x, y))


# chain of unequal kinds; from_iterable.
@case((1, 2, X))
def chained(a: int, b: int, x: f64["n"]):
    total = 0
    for item in chain((a, b), [0.5], x):
        total = total + item
    return total, list(chain()), list(chain.from_iterable([(a,), [b, a]])), list(chain("ab", (a,)))


@case((3, 2), (0, 0))
def chain_of_ranges(n: int, m: int):
    return [i * 2 for i in chain(range(n), range(m, 0, -1))], sum(chain(range(n), (n, m)))


# accumulate: sums, a function, an initial value.
@case((1, 2, 3))
def accumulated(a: int, b: int, c: int):
    items = (a, b, c)
    return (
        list(accumulate(items)),
        list(accumulate(items, operator.mul)),
        list(accumulate(items, lambda x, y: x * 10 + y, initial=7)),
        list(accumulate([])),
    )


@case((X,), (X[:0],))
def accumulated_array(x: f64["n"]):
    return list(accumulate(x)), list(accumulate(x, max)), list(accumulate(x, initial=0.0))


@case((5,), (0,))
def accumulated_range(n: int):
    total = 0
    for value in accumulate(range(n), lambda a, b: a + b * b):
        total = total * 2 + value
    return total


# count and islice.
@case((3, 2))
def counted(start: int, step: int):
    first = list(islice(count(start, step), 4))
    return first, list(islice(count(0.5), 2)), list(zip(count(), "abc"))


@case((50,), (0,))
def count_until(limit: int):
    for i in count():
        if i * i > limit:
            break
    return i


@case((1, 2, 3))
def islice_of_a_tuple(a: int, b: int, c: int):
    items = (a, b, c, a)
    every_other = list(islice(items, 0, 4, 2))
    return list(islice(items, 2)), list(islice(items, 1, None)), every_other, list(islice([], 3))


@case((X, 2), (X, 9), (X, 0))
def islice_up_to_a_run_time_count(x: f64["n"], k: int):
    total = np.float64(0.0)
    for value in islice(x, k):
        total += value
    return total


# repeat.
@case((5, 3), (5, 0))
def repeated(value: int, times: int):
    return list(repeat(value, 3)), sum(repeat(value, times)), list(map(pow, (2, 3), repeat(value)))


# zip_longest.
@case((1, 2, 3))
def padded_zip(a: int, b: int, c: int):
    return (
        list(zip_longest((a, b, c), (c,), fillvalue=0)),
        list(zip_longest((a,), (b, c))),
        [x + y for x, y in zip_longest([a, b], [c], fillvalue=0.5)],
    )


@case((X, Y), (Y[:0], Y), (X, X[:0]))
def padded_sum_of_arrays(x: f64["n"], y: f64["m"]):
    return [a + b for a, b in zip_longest(x, y, fillvalue=0.0)]


# pairwise.
@case((1, 4, 9))
def differences(a: int, b: int, c: int):
    return [y - x for x, y in pairwise((a, b, c))], list(pairwise((a,)))


@case((X,), (X[:1],), (X[:0],))
def pairwise_of_an_array(x: f64["n"]):
    return sum((b - a) * (b + a) for a, b in pairwise(x)), all(a <= b for a, b in pairwise(x))


# combinations and permutations.
@case((1, 2, 3))
def chosen_pairs(a: int, b: int, c: int):
    items = (a, b, c)
    return (
        list(itertools.combinations(items, 2)),
        [x * 10 + y for x, y in itertools.permutations(items, 2)],
        list(itertools.combinations_with_replacement((a, b), 2)),
        len(list(itertools.permutations(items))),
    )


@case((1.0, -2.0, 4.0))
def pairwise_energy(a: float, b: float, c: float):
    energy = 0.0
    for x, y in itertools.combinations([a, b, c], 2):
        energy += 1.0 / abs(x - y)
    return energy


# Permutations with their signs: a determinant.
@case((np.array([[2.0, 1.0, 0.5], [0.0, 3.0, 1.0], [1.0, -1.0, 2.0]]),))
def determinant(m: f64[3, 3]):
    total = 0.0
    for p in itertools.permutations(range(3)):
        sign = 1
        for i, j in itertools.combinations(range(3), 2):
            if p[i] > p[j]:
                sign = -sign
        total += sign * m[0, p[0]] * m[1, p[1]] * m[2, p[2]]
    return total


# takewhile, dropwhile, filterfalse, compress.
@case((1, 5, 2))
def cut_by_a_condition(a: int, b: int, c: int):
    items = (a, b, c)
    return (
        list(itertools.takewhile(lambda v: v < 3, items)),
        list(itertools.dropwhile(lambda v: v < 3, items)),
        list(itertools.filterfalse(lambda v: v % 2, items)),
        list(itertools.compress(items, (1, 0, 1))),
    )


# starmap and cycle.
@case((2, 3))
def starmap_and_cycle(a: int, b: int):
    powers = list(itertools.starmap(pow, [(a, b), (b, a)]))
    return powers, list(zip((a, b, a), itertools.cycle("xy")))


# groupby of a static sequence.
@case((2,))
def grouped(n: int):
    rows = [("a", n), ("a", 1), ("b", n * 2)]
    groups = itertools.groupby(rows, key=lambda row: row[0])
    return {key: [v for _, v in group] for key, group in groups}


# tee: two readers.
@case((1, 2))
def two_readers(a: int, b: int):
    left, right = itertools.tee((a, b, 3))
    next(left)
    return list(zip(left, right))


# Grid points by product.
@case((2, 0.5), (1, 1.0))
def grid(n: int, h: float):
    points = [(i * h, j * h) for i, j in product(range(3), range(2))]
    return sum(x * x + y for x, y in points) * n, len(points)


# A truth table: all inputs of a function.
@case((1,), (0,))
def truth_table(n: int):
    rows = []
    for a, b, c in product((False, True), repeat=3):
        rows.append((a and b) or (c and bool(n)))
    return rows, sum(rows)


# Of items whose number the running program finds.
@case((4,), (2,), (1,), (0,))
def pairs_at_run_time(n: int):
    pairs = []
    for i, j in itertools.combinations(range(n), 2):
        if (i + j) % 4 == 3:
            continue
        pairs.append((i, j))
        if len(pairs) > 4:
            break
    triples = list(itertools.combinations(range(n), 3))
    return pairs, triples, sum(1 for _ in itertools.combinations(range(n), 0))


@case((np.array([3.0, 1.0, 2.0]),), (np.array([]),))
def choices_at_run_time(x: f64["n"]):
    orders = [a - 2 * b for a, b in itertools.permutations(x, 2)]
    again = [a * b for a, b in itertools.combinations_with_replacement(x.tolist(), 2)]
    nearest = min((abs(a - b) for a, b in itertools.combinations(x, 2)), default=None)
    return orders, again, nearest


# The items are those of the list when it was given, whatever becomes of it.
@case((3,), (0,))
def pool_is_a_copy(n: int):
    items = [i * i for i in range(n)]
    found = []
    for a, b in itertools.combinations(items, 2):
        items.append(a)
        found.append((a, b, len(items)))
    chosen = itertools.permutations(items, 1)
    items.clear()
    return found, [a for (a,) in chosen], items


# One step at a time.
@case((3,), (1,))
def choice_by_next(n: int):
    pairs = itertools.combinations(range(n), 2)
    first = next(pairs, None)
    return first, list(pairs)


# What an iterator is an instance of.
@case((2,), (0,))
def classes_of_iterators(n: int):
    pairs, numbered = zip([n], [1]), enumerate([n])
    kept, joined = filter(None, [n, 1]), itertools.chain([n], [1])
    made = (i for i in range(n))
    found = [isinstance(each, zip) for each in (pairs, numbered, kept, joined, made)]
    return (
        found,
        type(numbered).__name__,
        isinstance(joined, itertools.chain),
        isinstance(made, zip),
    )


# What can't be gone through backwards, and what is asked of nothing.
@case((1,), (3,))
def not_reversible(n: int):
    found = []
    makers = (
        lambda: {1, 2}, lambda: zip([n], [2]), lambda: enumerate([n]),
        lambda: map(str, [n]), lambda: (i for i in range(n)), lambda: reversed([n]),
        lambda: np.ones((2, n)).flat,
    )  # fmt: skip
    for make in makers:
        try:
            found.append(list(reversed(make())))
        except TypeError:
            found.append("not reversible")
    try:
        return found, max(*())
    except TypeError as error:
        return found, str(error)


# An iterator is gone through once by `product`, however often its items are repeated.
@case((3,))
def products_of_iterators(n: int):
    squares = (i * i for i in range(n))
    steps = iter([1, 2])
    pairs = list(itertools.product(squares, repeat=2))
    return pairs, list(itertools.product(steps, [n], repeat=2)), steps is steps, next(steps, -1)


# What makes items is of a class of its own, also where it is written in terms of another one.
@case((3,))
def classes_of_makers(n: int):
    numbers = [i * i for i in range(n)]
    made = {
        "starmap": itertools.starmap(operator.add, [(1, n)]),
        "filterfalse": itertools.filterfalse(None, numbers),
        "takewhile": itertools.takewhile(bool, numbers),
        "repeat": repeat(n, 2),
        "compress": itertools.compress(numbers, [1, 0]),
        "combinations": itertools.combinations(numbers, 2),
        "generator": (i for i in numbers),
        "ndindex": np.ndindex(n, 2),
        "views": {1: n}.items(),
    }
    found = [(isinstance(each, map | filter), hasattr(each, "send")) for each in made.values()]
    return found, [type(each).__name__ for each in made.values()], len(list(made["combinations"]))
# What can't be gone through is refused where the iterator is made, used or not.
@case((3,), (np.float32(2),), (None,), ([1],))
def no_iterables(n):
    found = []
    for make in (enumerate, lambda items: zip([1], items), lambda items: map(str, items)):
        try:
            made = make(n)
            found.append(made is None)
        except TypeError as error:
            found.append(str(error))
    return found
