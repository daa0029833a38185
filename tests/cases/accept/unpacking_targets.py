"""Unpacking: nested and starred targets, elements and attributes as targets, wrong counts."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([1.0, 2.0, 3.0])
M = np.arange(6.0).reshape(3, 2)


class Box:
    def __init__(self, left=0, right=0):
        self.left = left
        self.right = right

    def __iter__(self):
        yield self.left
        yield self.right


# Elements of an array; a length that doesn't fit raises.
@case((X,), (X[:2],), (X[:0],))
def elements_of_an_array(x: f64["n"]):
    a, b, c = x
    return a, b, c


# Rows of a matrix are views.
@case((M[:2],), (M,))
def rows_of_a_matrix(m: f64["m", "n"]):
    first, second = m
    first[0] = -1.0
    second += 10.0
    return m.sum()


# A star takes the rest of an array as a list of scalars.
@case((X,), (X[:1],), (X[:0],))
def starred_array(x: f64["n"]):
    first, *rest = x
    return first, rest


# ... in the middle.
@case((X,), (np.arange(6.0),), (X[:1],))
def starred_in_the_middle(x: f64["n"]):
    first, *middle, last = x
    return first + last, middle


# Elements and attributes are assigned from left to right.
@case((0, 5), (1, -2))
def targets_in_order(i: int, value: int):
    items = [0, 0, 0]
    i, items[i] = 2, value
    return i, items


# An index that an earlier target of the same statement wrote.
@case((np.array([2, 0, 1]),), (np.array([7, 0, 0]),))
def target_uses_an_earlier_target(p: i64[3]):
    i = 0
    i, p[i] = p[0], 9
    return i, p


# Attributes of an object.
@case((1, 2.5))
def attributes_as_targets(a: int, b: float):
    box = Box()
    box.left, box.right = a, b
    box.left, box.right = box.right, box.left
    return box


# An object with `__iter__` is unpacked.
@case((Box(3, 4.0), 2), (Box("a", None), 1))
def object_is_unpacked(box, n):
    left, right = box
    both = [*box] * n
    return left, right, both


# Nested targets in a loop over pairs.
@case((2.0,), (-1.0,))
def nested_in_a_loop(scale: float):
    total = 0.0
    for name, (low, (high, step)) in [("a", (0, (4, 2))), ("bc", (1, (2, 1)))]:
        total += scale * len(name) * sum(range(low, high, step))
    return total


# A dict is unpacked by its keys.
@case((1.0, 2.0))
def dict_is_unpacked(a: float, b: float):
    table = {"x": a, "y": b}
    first, second = table
    (k1, v1), (k2, v2) = table.items()
    return first, second, k1 + k2, v1 - v2


# Three in a circle, twice.
@case((1, 2.0, 3j))
def rotation(a, b, c):
    a, b, c = b, c, a
    a, b, c = b, c, a
    return a, b, c


# One value for several targets: the same array.
@case((X,))
def chained_targets(x: f64["n"]):
    (a, *b), c = d = x, [x]
    c[0] += 1.0
    return a, b, d[0] is x


# The count of a run-time list decides.
@case((2,), (3,), (0,))
def run_time_list(n: int):
    items = []
    for i in range(n):
        items.append(i * i)  # noqa: PERF401
    a, b = items
    return a + b


# Into a call, in several pieces.
@case((X, 4), (X[:1], 0))
def unpacked_in_a_call(x: f64["n"], n: int):
    def count(*items, scale=1, **more):
        return len(items) * scale + len(more)

    options = {"scale": n, "other": 1}
    return count(*x.shape, *[n, n], **options), count(*()), max(*x.shape, n)


# In displays: tuples, lists, sets and dicts.
@case((1, 2))
def unpacked_in_displays(a: int, b: int):
    pair = (a, b)
    base = {"a": a, "b": 0}
    return (*pair, *pair), [0, *pair, 3], {**base, "b": b}, {"b": -1, **base}, [*base, *"xy"]


# The swap of two slices: the right side are views.
@case((np.arange(6.0),))
def swapped_slices(x: f64["n"]):
    x[:2], x[2:4] = x[2:4], x[:2]
    return x


# ... and with copies.
@case((np.arange(6.0),))
def swapped_copies(x: f64["n"]):
    x[:2], x[2:4] = x[2:4].copy(), x[:2].copy()
    return x


# The right side is evaluated before the first target, and targets before the next value.
@case((3,))
def order_of_evaluation(n: int):
    seen = []

    def note(name, value):
        seen.append(name)
        return value

    items = [0, 0]
    items[note("index", 0)], items[note("other", 1)] = note("first", n), note("second", n + 1)
    return seen, items


# A result of a function, a part thrown away.
@case((7, 2), (-7, 2), (1, 0))
def parts_of_a_result(a: int, b: int):
    quotient, _ = divmod(a, b)
    _, remainder = divmod(a, b)
    return quotient, remainder, _
