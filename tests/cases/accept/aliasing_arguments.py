"""Arguments and names that share memory: the same array twice, a slice of it, lists in lists."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import call, case

X = np.arange(6.0)
Y = np.arange(6.0) * 10.0
M = np.arange(12.0).reshape(3, 4)
S = np.arange(9.0).reshape(3, 3)
L = [1, 2, 3]


# The same array twice, a part of it, another one.
@case((X, X), (X, Y), (X, X[::-1]))
def adds_an_overlapping_argument(x: f64["n"], y: f64["n"]):
    x += y
    return x, y


# Shifted by one: the loop reads what it wrote.
@case((X[1:], X[:-1]), (X[:-1], X[1:]), (X, Y))
def copies_element_by_element(x: f64["n"], y: f64["n"]):
    for i in range(len(x)):
        x[i] = y[i] + 1.0
    return x, y


# ... while a slice assignment reads all before it writes.
@case((X[1:], X[:-1]), (X[:-1], X[1:]), (X, Y))
def copies_at_once(x: f64["n"], y: f64["n"]):
    x[:] = y
    return x, y


# A write to one argument is read through the other.
@case((X, X), (X, Y), (X, X[3:]))
def reads_through_the_other(x: f64["m"], y: f64["n"]):
    before = y[0]
    x[0] = 100.0
    x[3] = 50.0
    return before, y[0], y.sum()


# A value that was computed before the write keeps its value.
@case((X, X), (X, Y))
def values_before_a_write(x: f64["n"], y: f64["n"]):
    double = y * 2.0
    total = y.sum()
    x[:] = 0.0
    return double, total, y * 2.0, y.sum()


# The same expression on both sides of a write is not the same value.
@case((X, X), (X, Y))
def equal_expressions_around_a_write(x: f64["n"], y: f64["n"]):
    a = y[1] + y[2]
    x[1] = 7.0
    b = y[1] + y[2]
    x[2] += y[1]
    c = y[1] + y[2]
    return a, b, c


# An invariant of a loop that isn't one, where the arguments overlap.
@case((X, X), (X, Y), (X, X[1:]))
def invariant_of_a_loop(x: f64["m"], y: f64["n"]):
    for i in range(len(x)):
        x[i] += y[1] * 2.0
    return x, y


# A row, and the matrix that it belongs to.
@case((M, M[1]), (M, M[:, 0]), (M, Y[:4]))
def matrix_and_its_row(m: f64["m", "n"], row: f64["k"]):
    m *= 2.0
    row += 1.0
    return m, row, m.sum()


# A matrix and its transpose.
@case((S, S.T), (S, S.copy()), (S, S))
def matrix_and_its_transpose(a: f64["n", "n"], b: f64["n", "n"]):
    a[0] = [7.0, 8.0, 9.0]
    b -= a
    return a, b


# The rows of one matrix, exchanged by a helper.
def exchange(a, b):
    keep = a.copy()
    a[:] = b
    b[:] = keep


@case((M, 0, 2), (M, 1, 1))
def exchanges_rows(m: f64["m", "n"], i: int, j: int):
    exchange(m[i], m[j])
    return m, m[i, 0]


# A helper that is called with one array twice.
def accumulate(into, values):
    into += values
    into += values
    return into


@case((X, Y))
def helper_with_one_array_twice(x: f64["n"], y: f64["n"]):
    accumulate(x, y)
    accumulate(y, y)
    accumulate(y[1:], y[:-1])
    return x, y


# Keyword arguments overlap too.
@case(call(x=X, y=X), call(y=Y[2:], x=Y[:-2]))
def keywords_that_overlap(x, y):
    x -= 1.0
    y *= 2.0
    return x + y


# Two names in the function for one argument.
@case((X,))
def three_names(x: f64["n"]):
    y = x
    z = y
    z[0] = 1.0
    y = y + 1.0
    x[1] = 2.0
    z += 0.5
    return x, y, z, z is x, y is x


# A name that may be either argument.
@case((X, Y, True), (X, Y, False), (X, X, True))
def one_of_two_arguments(x: f64["n"], y: f64["n"], flag: bool):
    z = x if flag else y
    z += 1.0
    x[0] = -1.0
    y[1] = -2.0
    return z


# A name that changes between the arguments in a loop.
@case((X, Y, 3), (X, Y, 0))
def alternating_arguments(x: f64["n"], y: f64["n"], steps: int):
    a, b = x, y
    for step in range(steps):
        a[step] += b[step + 1]
        a, b = b, a
    return a, b


# The larger of two arrays is halved until both are small.
@case((X, Y))
def halves_the_larger(x: f64["n"], y: f64["n"]):
    while max(x.sum(), y.sum()) > 10.0:
        larger = x if x.sum() > y.sum() else y
        larger *= 0.5
    return x, y


# An array in a tuple, in a list and in a dict is one array.
@case((X,))
def one_array_in_structures(x: f64["n"]):
    pair = (x, x[1:])
    items = [x, pair]
    table = {"x": items[0]}
    table["x"][0] = 9.0
    items[1][1][0] += 5.0
    return pair, items, table


# Arguments in structures share an array.
@case(((X, X),), ((X, Y),), ((X[2:], X[:-2]),))
def shared_within_a_tuple(pair: tuple[f64["n"], f64["n"]]):
    a, b = pair
    a[:] = 1.0
    b += a
    return pair


# ... in a dict and in a list.
@case(({"w": X, "v": [X, Y]},))
def shared_within_a_dict(state):
    state["w"] -= 1.0
    state["v"][1] += state["v"][0]
    for item in state["v"]:
        item[0] = 3.0
    return state["w"].sum()


# Lists: a name more is no copy.
@case((1, 2))
def two_names_of_a_list(a: int, b: int):
    items = [a]
    same = items
    same.append(b)
    copy = list(items)
    copy.append(0)
    items = items + [5]
    return items, same, copy, same is items


# The argument is a list that is given twice.
@case((L, L), (L, [4, 5]))
def one_list_twice(a, b):
    a.append(9)
    b[0] = 100
    return a is b, len(b), a


# A list in a list is shared.
@case((L, 7))
def list_in_a_list(items, n):
    outer = [items, items]
    outer[0].append(n)
    outer[1][0] = -n
    shallow = outer.copy()
    shallow[0].append(0)
    shallow.append([])
    return outer, items


# `[[0]] * 3` is one list three times.
@case((3, 5))
def repeated_inner_lists(n: int, value: int):
    shared = [[0] * n] * 2
    apart = [[0] * n for _ in range(2)]
    shared[0][1] = value
    apart[0][1] = value
    return shared, apart, shared[0] is shared[1], apart[0] is apart[1]


# A default that is made once, and one that is made at each call.
def collects(value, into=None):
    into = [] if into is None else into
    into.append(value)
    return into


@case((1, 2))
def fresh_defaults(a: int, b: int):
    first = collects(a)
    second = collects(b)
    collects(a, second)
    return first, second, first is second


# Identity of arrays and views.
@case((X, X), (X, Y), (X, X[:]))
def identity(x: f64["n"], y: f64["n"]):
    return x is y, x is not y, np.shares_memory(x, y), np.may_share_memory(x, x)


# A branch asks whether two arguments are one.
@case((X, X), (X, Y))
def copies_only_where_needed(x: f64["n"], y: f64["n"]):
    if x is y:
        y = y.copy()
    x += 1.0
    y -= 1.0
    return x, y


# Integers that index the array that they are in.
@case((np.array([2, 0, 1]), 5), (np.array([1, 2, 0]), 1))
def array_that_indexes_itself(k: i64["n"], steps: int):
    for _ in range(steps):
        k[:] = k[k]
        k[k[0]], k[0] = k[0], k[k[0]]
    return k


# Fields of one vector that a loop updates in turn.
@case((np.array([1.0, 0.0, 0.5, -0.5]), 4))
def halves_of_one_state(state: f64["n"], steps: int):
    half = len(state) // 2
    position, velocity = state[:half], state[half:]
    for _ in range(steps):
        position += 0.1 * velocity
        velocity -= 0.1 * position
    return state, position


# What an augmented assignment writes to is seen by every name, though it may be of another type.
@case((3,), (0,))
def list_or_none_is_written_to(n: int):
    chosen = None
    for i in range(n):
        chosen = [i]
    other = chosen
    chosen += [7]
    chosen *= 2
    return chosen, other, chosen is other


@case((3,), (0,))
def list_or_number_is_written_to(n: int):
    chosen = 0.5
    for i in range(n):
        chosen = [i]
    other = chosen
    if n:
        chosen += [1, 2]
    else:
        chosen += 1
    return chosen, other


@case((3,), (0,))
def dict_or_none_is_written_to(n: int):
    table = {}
    for i in range(n):
        table = {i: i}
    chosen = table if n else None
    other = chosen
    chosen |= {5: 6}
    return chosen, other, chosen is other


class Tally:
    def __init__(self, n):
        self.n = n
        self.items = [n]

    def __iadd__(self, n):
        self.n += n
        self.items.append(n)
        return self

    def __add__(self, n):
        return Tally(self.n + 100 * n)


# An object in memory has its own __iadd__: in a list, in a try, where it may be None.
@case((3,), (1,), (0,))
def objects_are_written_to(n: int):
    tallies = [Tally(i) for i in range(n)]
    first = tallies[0]
    for k in range(n):
        tallies[k] += 5
    last = tallies[-1]
    last += 3
    return [(each.n, each.items) for each in tallies], first.n, last is tallies[-1]


@case((-3, 0), (0, 0), (2, 5))
def object_is_written_to_in_a_try(i: int, m: int):
    tally = Tally(i)
    other = tally
    if m == 0:
        try:
            tally += 1
            m = m // i
        except ZeroDivisionError:
            tally += 10
    return tally.n, other.n, other.items, m


@case((3,), (0,))
def object_or_none_is_written_to(n: int):
    chosen = None
    for i in range(n):
        chosen = Tally(i)
    other = chosen
    chosen += 7
    return chosen.n, other.n, chosen is other
