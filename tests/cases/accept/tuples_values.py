"""Tuples: unpacking, stars, nesting, joining, comparing, as arguments, state and results."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
Y = np.array([3.0, 4.0, 5.0])


# A star takes what is left, as a list.
@case((1, 2, 3))
def starred_targets(a: int, b: int, c: int):
    first, *rest = (a, b, c)
    *most, last = (a, b, c)
    one, *none = (a,)
    return first, rest, most, last, one, none


# A star in the middle, nested.
@case((1, 2.0, 3))
def nested_stars(a: int, x: float, c: int):
    (p, *q), *r, s = (a, x, c), a, x, c
    return p, q, r, s


# Stars in a display.
@case((1, 2))
def starred_displays(a: int, b: int):
    pair = (a, b)
    return (*pair, 3), (*pair, *pair), (0, *[a], *range(2)), [*pair, *(b,)]


# Tuples join and repeat; run-time counts make what Python makes.
@case((1, 2))
def joins_and_repeats(a: int, b: int):
    pair = (a, b)
    return pair + (3,), pair * 2, 2 * pair, pair * 0, () + pair, len(pair * 3)


# `+=` binds a new tuple.
@case((1, 2))
def augments(a: int, b: int):
    items = (a,)
    kept = items
    items += (b,)
    items *= 2
    return items, kept


# Tuples compare item by item.
@case((1, 2), (2, 1), (1, 1))
def compares(a: int, b: int):
    return (a, b) == (b, a), (a, b) < (b, a), (a, b) >= (1, 1), (a,) < (a, b), (a, b) != (a, b, 0)


# Comparing stops at the first difference.
@case((1, 0), (0, 0))
def compares_lazily(a: int, b: int):
    return (a, "x") < (1, "y"), max((a, 5), (b, 9)), min([(b, 1), (a, 0)]), sorted([(b, a), (a, b)])


# An item at a run-time place: IndexError beyond.
@case((0, 1.5), (-1, 1.5), (3, 1.5), (-4, 1.5))
def run_time_place(i: int, x: float):
    items = (x, x * 2.0, x * 3.0)
    return items[i]


# Slices of a tuple with constant bounds.
@case((1, 2, 3))
def slices(a: int, b: int, c: int):
    items = (a, b, c)
    return items[1:], items[:-1], items[::-1], items[5:], items[::2]


# index, count, in, len, sum, min, max.
@case((3, 1), (1, 1), (2, 5))
def methods(a: int, b: int):
    items = (a, b, 1, a)
    found = items.count(a), items.index(1), b in items
    return found, len(items), sum(items), min(items), max(items)


# index of what isn't there: ValueError.
@case((1,), (9,))
def index_of_an_item(n: int):
    return (5, 9, n, 0).index(1)


# Swaps and rotations through tuples.
@case((1, 2, 3))
def rotations(a: int, b: int, c: int):
    a, b = b, a
    b, c, a = a, b, c
    pair = (a, b)
    a, b = pair[::-1]
    return a, b, c, pair


# A loop over a tuple of tuples.
@case((1, 2.0))
def loops_over_pairs(n: int, x: float):
    total = 0
    for factor, (a, b) in ((1, (n, x)), (10, (x, n))):
        total += factor * a - b
    return total


# A tuple is the state of a run-time loop.
@case((10,), (0,))
def state_of_a_loop(n: int):
    pair = (0, 1.0)
    for i in range(n):
        count, product = pair
        pair = (count + 1, product * (i + 1) / 2.0)
    return pair


# Arrays in tuples: writes are seen, the tuple stays.
@case((X, Y))
def arrays_in_tuples(x: f64["n"], y: f64["n"]):
    pair = (x, y)
    pair[0][0] = 9.0
    a, b = pair
    b += a
    a = a * 2.0
    return pair, a


# A tuple chosen by a branch.
@case((X, Y, True), (X, Y, False))
def chosen_by_a_branch(x: f64["n"], y: f64["n"], flag: bool):
    pair = (x, y, 1) if flag else (y, x, 2)
    pair[0][1] = 7.0
    return pair, pair[2]


# Lists within tuples are written.
@case((1, 2))
def lists_in_tuples(a: int, b: int):
    state = ([a], b)
    state[0].append(b)
    items, n = state
    items += [n]
    return state, items is state[0]


# Several results, some of them dropped.
def extremes(items):
    low = high = items[0]
    for item in items:
        low, high = min(low, item), max(high, item)
    return low, high, high - low


@case((3, -1, 2))
def several_results(a: int, b: int, c: int):
    low, _, width = extremes((a, b, c))
    *ends, _ = extremes((width, low))
    return low, width, ends, extremes((a, a))[2]


# zip, enumerate and unzip.
@case((1, 2, 3))
def zips(a: int, b: int, c: int):
    pairs = tuple(zip((a, b, c), "xyz"))
    numbers, names = zip(*pairs)
    return pairs, numbers, names, tuple(enumerate((b, a), start=5))


# tuple of other things; a generator.
@case((3,))
def makes_tuples(n: int):
    return tuple([n, n]), tuple(range(3)), tuple(i * n for i in range(3)), tuple("ab"), tuple()


# A tuple of a run-time number of items is a tuple.
@case((4,), (0,))
def tuple_of_a_run_time_length(n: int):
    items = tuple([i * i for i in range(n)])
    return items, len(items), items[:2], sum(items)


# The truth of a tuple.
@case((0,))
def truth(n: int):
    return bool(()), bool((n,)), not (), (n,) and n, () or n


# None and strings in tuples.
@case((1,))
def mixed(n: int):
    options = ("mean", None, n, ("x", None))
    name, missing, value, (inner, _) = options
    if missing is None and name == "mean":
        value += 1
    return name, value, inner, options


# Arguments that are nested tuples.
@case(((1, (2.0, 3)), X), ((0, (-1.0, 7)), X[:0]))
def nested_arguments(state: tuple[int, tuple[float, int]], x: f64["n"]):
    n, (scale, shift) = state
    return (x * scale, (n + shift, state)), state[1][0]


# What a tuple of a run-time length is good for.
@case((4, 2), (3, -1), (0, 0))
def used_tuple_of_a_run_time_length(n: int, i: int):
    items = tuple(k * k for k in range(n))
    first = next(iter(items), -1)
    longer = items + (7,)
    return longer, longer[1:], first, items == (0, 1, 4), 4 in items, bool(items), items[i]


# Starred items of a run-time number.
@case((3,), (0,))
def starred_into_a_tuple(n: int):
    items = [i + 1 for i in range(n)]
    made = (0, *items)
    items.append(9)
    return made, isinstance(made, tuple), f"{made}"


# Which of two tuples is for the path to say.
@case((4, True), (3, False))
def one_of_two_tuples(n: int, up: bool):
    items = tuple(range(n))
    if up:
        items = items + items
    return items, sum(items), len(items)


# Tuples whose lengths the running program finds have an order.
@case((np.array([1, 2, 3]), 2), (np.array([1, 2, 3]), 5), (np.array([2, 1]), 0))
def order_of_run_time_tuples(x: i64["n"], k: int):
    first, second = tuple(x[:k]), tuple(x.tolist())
    less = first < second, first <= second, second > first, first < (1, 3), (1, 2, 3) >= second
    return less, min(first, second), sorted([second, first])


@case((2,), (0,))
def order_of_tuples_of_texts(n: int):
    names = tuple([str(i) for i in range(n)])
    return names < ("1",), names >= (), names < names


# Items without an order: TypeError, if it comes to them.
@case((2,), (0,))
def order_of_mixed_tuples(n: int):
    return tuple([i for i in range(n)]) < ("a",)


# A tuple of a run-time length as a key, and in a list.
@case((np.array([1, 2]), 2), (np.array([1, 2]), 1))
def run_time_tuples_as_keys(x: i64["n"], k: int):
    key = tuple(x[:k].tolist())
    counts = {key: 1}
    counts[(1, 2)] = counts.get((1, 2), 0) + 1
    known = [(1, 2), (3,)]
    return counts, key in known, key in counts, known.count(key), sorted([(2,), key])


# A tuple that each round makes longer: its length is known at run time.
@case((0,), (1,), (4,))
def longer_in_each_round(n: int):
    front, back, starred = (), (n,), ()
    for i in range(n):
        front += (i * 0.5,)
        back = (i, *back)
        starred = (*starred, i, -i)
    return front, back, starred, len(starred), sum(back), back[-1], back[1:], front == (0.0,)


# It may begin with the argument, be emptied on some paths, or get shorter.
@case(((1, 2), 3), ((2.5,), 5), ((), 2), ((1, 2, 3, 4), 0))
def longer_and_shorter(start, n):
    window = recent = start
    while len(window) > n:
        window = window[1:]
    for i in range(n):
        recent = () if i % 3 == 2 else recent + (i,)
        window = window[-2:] + (i,)
    return window, recent, sorted(window), [x for x in recent], window < recent


# What holds it is an object, a dict, another tuple.
class Log:
    def __init__(self):
        self.entries = ()

    def add(self, entry):
        self.entries = (*self.entries, entry)


@case((0,), (3,))
def longer_in_objects(n: int):
    log, table, pair = Log(), {"rows": ()}, (0, ())
    for i in range(n):
        log.add(i)
        table["rows"] += ((i, i * 0.5),)
        pair = pair[0] + i, pair[1] + ([i],)
    if n > 0:
        pair[1][0].append(n)
    return log.entries, table, pair


# Rounds that are known in number leave it known, so it is a shape, a key, or taken apart.
@case((2,))
def longer_in_known_rounds(n: int):
    shape = ()
    for i in range(3):
        shape = shape + (i + 1,)
    a, b, c = shape
    return np.full(shape, n), {shape: a + b + c}


# So often, where only the running program knows how often.
@case((0,), (3,), (-1,))
def tuples_times(n: int):
    items = tuple(i for i in range(n))
    return (1, 2.5) * n, items * 2, 2 * items, items.count(1), items.index(0) if n > 0 else None


# A slice whose bounds are known at run time.
@case(((1, 2, 3), 1), ((1.5, 2), -1), ((1, 2, 3, 4), 9))
def run_time_slices(items, n):
    first, rest = items[:n], items[n:]
    total = 0
    for item in rest:
        total += item
    return first, rest, first + rest == items, len(first), total, items[::-1][n:]


def summed(items):
    return items[0] + summed(items[1:]) if items else 0


# ... of each in a recursion.
@case((3,), (0,), (-1,))
def summed_slice(n: int):
    return summed((1, 2, 3)[:n]), sorted((3, 1, 2)[:n]), max((4, 5)[n:], default=None)
# As long as every test is known, so is the tuple.
@case((2,))
def longer_while_known(n: int):
    shape = ()
    while len(shape) < 3:
        shape = (*shape, len(shape) + 1)
    rest = shape
    while rest:
        last, rest = rest[-1], rest[:-1]
        n += last
    return np.full(shape, n), rest


# What an IndexError says names the sequence that the program has.
@case((1, 5, 2), (2, 5, 2), (-9, 5, 2), (0, 2.5, 0))
def out_of_range_of(i, a, n):
    said = []
    grown = tuple([k for k in range(n)])
    for items in ((1, 2), (a, "x"), [a], "abc", range(2), grown):
        for k in (i, 7):
            try:
                said.append(items[k])
            except IndexError as error:
                said.append(str(error))
    return said
