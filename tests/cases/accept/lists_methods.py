"""The methods and operators of lists."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case


# append gives None, and adds at the end.
@case((1, 2), (-1, 0))
def appends(a: int, b: int):
    items = []
    nothing = items.append(a)
    items.append(b)
    items.append(a + b)
    return items, nothing, len(items)


# extend by a list, a tuple, a range.
@case((1, 3), (0, 0))
def extends(a: int, n: int):
    items = [a]
    items.extend([a + 1, a + 2])
    items.extend((10, 20))
    items.extend(range(n))
    return items


# insert at places inside, negative, and beyond the ends.
@case((5, 1), (5, -1), (5, 100), (5, -100))
def inserts(value: int, i: int):
    items = [1, 2, 3]
    items.insert(i, value)
    items.insert(0, -value)
    return items


# pop from the end, from a place; an empty list: IndexError.
@case(([1, 2, 3, 4, 5], 0), ([1, 2, 3, 4, 5], -2), ([1], 0), ([1, 2], 5))
def pops(items, i):
    last = items.pop()
    other = items.pop(i)
    return last, other, items


# remove the first of equal items, or ValueError.
@case((2,), (9,))
def removes(value: int):
    items = [1, 2, 3, 2]
    items.remove(value)
    items.remove(1)
    return items


# clear leaves the list itself.
@case((1, 2))
def clears(a: int, b: int):
    items = [a, b]
    same = items
    items.clear()
    same.append(b)
    return items, same is items


# reverse, in place, gives None.
@case((1, 2, 3))
def reverses(a: int, b: int, c: int):
    items = [a, b, c]
    nothing = items.reverse()
    return items, nothing, items[::-1], list(reversed(items))


# sort, in place, with run-time numbers.
@case((3, -1, 2), (0, 0, 0), (-5, 7, -6))
def sorts(a: int, b: int, c: int):
    items = [a, b, c]
    nothing = items.sort()
    down = [a, b, c]
    down.sort(reverse=True)
    return items, down, nothing


# sort by a key; equal keys keep their order.
@case((3, -3, 2), (1, -1, 0))
def sorts_by_a_key(a: int, b: int, c: int):
    items = [a, b, c]
    items.sort(key=abs)
    other = sorted(items, key=lambda item: -item)
    return items, other


# index and count; index of what isn't there: ValueError.
@case((2,), (3,), (8,))
def finds(value: int):
    items = [3, 2, 3, 1, 3]
    return items.count(value), items.index(value), items.count(8)


# index with bounds.
@case((3, 1), (3, 3), (3, 5))
def finds_from(value: int, start: int):
    items = [3, 2, 3, 1, 3]
    return items.index(value, start), items.index(value, 0, 2)


# ... where all is known while compiling.
@case((["a", "b", "a"], "a"), (["a", "b"], "b"), (["b"], "b"))
def index_of_a_text_with_bounds(items, value):
    found = [("x", "y", "x").index("x", 1), items.index(value, -1)]
    try:
        found.append(items.index(value, 0, -1))
    except ValueError:
        found.append(None)
    return found, items.index(value, 1)


# Run-time indexes: reads, or IndexError.
@case((0,), (-1,), (2,), (3,), (-4,))
def reads_at_run_time(i: int):
    items = [10, 20, 30]
    return items[i]


# ... and writes.
@case((0, 5), (-1, 5), (3, 5))
def writes_at_run_time(i: int, value: int):
    items = [10, 20, 30]
    items[0] = 1
    items[i] = value
    items[i] += 1
    return items


# del at a constant and at a run-time index.
@case((0,), (1,), (-1,), (2,))
def deletes(i: int):
    items = [1, 2, 3]
    del items[0]
    del items[i]
    return items


# `+` makes a list, `+=` extends.
@case((1, 2))
def adds(a: int, b: int):
    items = [a]
    same = items
    more = items + [b]
    items += [b, b]
    items += (a,)
    return items, same is items, more


# `*` by run-time counts, also none and negative ones.
@case((3, 7), (0, 7), (-2, 7))
def multiplies(n: int, value: int):
    items = [value, 0] * n
    more = n * [value]
    more *= 2
    return items, more, len(items)


# `in` and `not in`.
@case((2,), (5,))
def membership(value: int):
    items = [1, 2, 3]
    return value in items, value not in items, value in [], 1.0 in items


# Comparisons: equal item by item, ordered as words are.
@case((1, 2), (2, 1), (1, 1))
def compares(a: int, b: int):
    x, y = [a, b], [b, a]
    return x == y, x != y, x < y, x <= y, x > [a], [] < x, [a, b] == [a, b, b]


# The truth of a list is whether it has items.
@case(([],), ([0],), ([1, 2],))
def truth(items):
    if items:
        return "some", len(items)
    if not items:
        return "none", bool(items)
    return "never", False


# copy is shallow.
@case((1, 2))
def copies(a: int, b: int):
    items = [a, [b]]
    other = items.copy()
    third = items[:]
    other[0] = 9
    other[1].append(a)
    third.append(b)
    return items, other, third


# Unpacking, with a star, of a list.
@case(([1, 2, 3, 4],), ([1, 2],), ([1],))
def unpacks(items):
    first, *middle, last = items
    return first, middle, last, [*items, *middle]


# sum, min, max, sorted, len, any, all over a list.
@case(([3, 1, 2],), ([0.5, -1.0],), ([7],))
def builtins_over_lists(items):
    return sum(items), min(items), max(items), sorted(items), any(items), all(items)


# min and max of an empty list: ValueError.
@case(([1],), ([],))
def smallest(items):
    return min(items)


# Lists of several types.
@case((1, 2.5, "s"))
def mixed_items(n, x, s):
    items = [n, x, s, None, (n, x), [x], {"n": n}]
    items.append(True)
    items[3] = n + x
    del items[0]
    return items, len(items)


# Lists in lists.
@case((1, 2))
def nested_lists(a: int, b: int):
    grid = [[a, b], [b, a]]
    grid[0][1] += 10
    grid[1].append(a)
    grid.append([])
    grid[-1].extend(grid[0])
    return grid, len(grid[1])


# List from other iterables.
@case((3, 1.5))
def lists_from_iterables(n: int, x: float):
    pairs = list(enumerate([x, n]))
    zipped = list(zip([n, x], "ab"))
    keys = list({"a": n, "b": x})
    return pairs, zipped, keys, list(range(3)), list("xy"), list((n,))


# A stack of operators: numbers by reverse Polish notation.
@case((3, 4, 5), (0, -1, 2))
def reverse_polish(a: int, b: int, c: int):
    stack = []
    for token in (a, b, "+", c, "*", a, "-"):
        if isinstance(token, str):
            right = stack.pop()
            left = stack.pop()
            if token == "+":
                stack.append(left + right)
            elif token == "*":
                stack.append(left * right)
            else:
                stack.append(left - right)
        else:
            stack.append(token)
    return stack.pop(), stack


# A queue, first in first out.
@case((1, 2, 3))
def queue(a: int, b: int, c: int):
    waiting = [a, b]
    served = []
    while waiting:
        served.append(waiting.pop(0))
        if len(served) == 1:
            waiting.append(c)
    return served, waiting


# An item is pushed out where the list is full.
@case((1.0, 2.0), (3.0, -1.0))
def bounded_history(x: float, y: float):
    history = []
    for value in (x, y, x + y, x - y):
        history.append(value)
        if len(history) > 2:
            del history[0]
    return history, sum(history) / len(history)


# The operand of '+=' is asked first: an array, or a number of NumPy's, adds a list to itself, where
# 'extend' takes its items. The list stays what it was.
@case(([1, 2, 3], np.arange(3), 0), ([1, 2], np.arange(3), 0), ([4], np.arange(2), 2))
def augmented_by_arrays(items, x: np.ndarray, n: int):
    by_array, by_number, grown = items, items, items[:]
    by_array += x
    by_number += x[1]
    for i in range(n):
        grown.append(i)
    extended = grown[:]
    extended.extend(x)
    grown += x[:1]
    return by_array, by_number, grown, extended


class Joins:
    def __radd__(self, other):
        return len(other), self

    def __iter__(self):
        return iter([7])


class Gives:
    def __iter__(self):
        return iter([7])


@case(([1, 2],))
def augmented_by_objects(items):
    joined = given = items
    joined += Joins()
    given += Gives()
    return joined[0], given is items


# The method that is an index, as a function.
@case((4, np.array([3.0, 1.0, 2.0])), (1, np.array([1.0])))
def getitem_as_key(n: int, x: f64["m"]):
    numbers = [i * 7 % 5 for i in range(n)]
    table = {i: -i for i in range(n)}
    best = max(range(n), key=numbers.__getitem__)
    order = sorted(table, key=table.__getitem__), sorted(range(len(x)), key=x.__getitem__)
    return best, order, list(map(numbers.__getitem__, [0, -1])), (3, 1).__getitem__(n % 2)


# A nan equals nothing, but containers find the object itself: two reads of an element are two objects.
@case((np.array([np.nan, 1.0]),), (np.array([2.0, 1.0]),))
def nan_read_twice(x):
    found = x[0] in [x[0]], [x[0]].count(x[0]), [x.sum()] == [x.sum()], (x[0], 1) == (x[0], 1)
    items = []
    for _ in range(2):
        items.append(x[0])
    first = items[0] * 1.0
    return found, x[0] in items, items.count(first), list(x) == list(x), x[1] in items
