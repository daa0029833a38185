"""Lists that are arguments: written by the function, seen by the caller."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, case

X = np.array([1.0, -2.0, 3.0])


# append to an argument.
@case(([1, 2], 3), ([], 0))
def appends_to_an_argument(items, value):
    items.append(value)
    return len(items)


# The list itself comes back.
@case(([1.5],))
def returns_the_list(items):
    items.append(items[0] * 2.0)
    return items


# Each item is written.
@case(([3, -1, 2],), ([],))
def doubles_each_item(items):
    for i in range(len(items)):
        items[i] *= 2


# Items are removed while they are read from a copy.
@case(([1, -2, 3, -4],), ([-1],))
def removes_negatives(items):
    for item in items[:]:
        if item < 0:
            items.remove(item)
    return items


# ... and by assignment to the whole.
@case(([1, -2, 3, -4],), ([],))
def keeps_positives(items):
    items[:] = [item for item in items if item > 0]


# A parameter that is bound anew leaves the argument alone.
@case(([1, 2],))
def rebinds_the_parameter(items):
    items = items + [3]
    items.append(4)
    return items


# `+=` doesn't.
@case(([1, 2], [3]), ([], []))
def extends_in_place(items, more):
    items += more
    more.append(len(items))
    return items


# Sorted in place, whatever the numbers are.
@case(([3, 1, 2],), ([0.5, -0.5],), ([True, 2, 1.5],))
def sorts_an_argument(items):
    items.sort()


# The caller's list of arrays: the arrays are written.
@case(([X, X * 2.0], 0.5))
def scales_arrays(arrays, factor):
    for array in arrays:
        array *= factor
    return arrays[0].sum()


# ... or exchanged for new ones.
@case(([X, X * 2.0], 0.5))
def exchanges_arrays(arrays, factor):
    for i, array in enumerate(arrays):
        arrays[i] = array * factor
    return arrays


# A list within a list.
@case(([[1], [2, 3]], 9))
def writes_inner_lists(rows, value):
    rows[0].append(value)
    rows[1][0] = value
    rows.append([value])
    rows[-1].append(0)


# A list within a dict, within a tuple.
@case(({"log": [], "state": ([0], 1)}, 5))
def writes_deeper(table, value):
    table["log"].append(value)
    table["state"][0][0] += value
    table["log"].append(table["state"][0][0])
    return len(table["log"])


# Before an exception all writes have been seen.
@case(([1, 2], 0), ([1, 2], 5))
def raises_after_writes(items, n):
    items.append(n)
    if n == 0:
        raise ValueError("zero")
    items.append(10 // n)
    items[n] = 1
    return items


# Writes in branches on a run-time value.
@case(([1.0, 2.0], 0.5), ([1.0, 2.0], -0.5))
def writes_in_branches(items, x):
    if x > 0:
        items.append(x)
    else:
        items[0] = x
    return sum(items)


# A helper writes.
def push(items, value, *, twice=False):
    items.append(value)
    if twice:
        items.append(value)
    return items


@case(([0], 4))
def a_helper_appends(items, value):
    push(items, value)
    push(push(items, 1), 2, twice=True)
    return push([], value), items


# The argument is taken apart until nothing is left.
@case(([1, 2, 3],), ([],))
def empties_the_argument(items):
    total = 0
    while items:
        total += items.pop()
    return total


# The caller's list, put together with run-time values in a loop.
@case(([], 4), ([7], 0))
def grows_the_argument(items, n):
    for i in range(n):
        items.append(i * i)
    return len(items)


# A history of the steps of a loop.
@case(([], 10.0), ([], 0.5))
def records_steps(history, x):
    while x > 1.0:
        history.append(x)
        x = x / 2.0
    return x


# Keywords and defaults.
@case(call([1]), call([1], value=5), call(value=2, items=[0]))
def keyword_lists(items, value=0):
    items.insert(0, value)
    return items


# A list of tuples: tuples are exchanged, not written.
@case(([(1, 2.0), (3, 4.0)],))
def list_of_tuples(pairs):
    for i, (n, x) in enumerate(pairs):
        pairs[i] = (n + 1, x * 0.5)
    return [n for n, _ in pairs]


# A nested list is a matrix.
@case(([[1, 2], [3, 4]],), ([[5]],))
def transposes_rows(rows):
    columns = [[row[j] for row in rows] for j in range(len(rows[0]))]
    rows[0][0] = 100
    return columns, [list(column) for column in zip(*rows)]


# A matrix product of nested lists.
@case(([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
def multiplies_nested_lists(a, b):
    n = len(a)
    out = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                out[i][j] += a[i][k] * b[k][j]
    a[0] = out[1]
    return out


# A list becomes an array, and an array a list.
@case(([1, 2, 3], X), ([0.5], X[:1]))
def lists_and_arrays(items, x):
    array = np.array(items)
    items[0] = 50
    back = x.tolist()
    back.append(0.0)
    return array, array.dtype.kind, back, list(x), np.array([items[0], 1.5])


# Comparing arguments with each other.
@case(([1, 2], [1, 2]), ([1], [2]))
def equal_lists(a, b):
    same = a == b
    a.append(3)
    return same, a == b, a is b


# The caller's list holds what the function returns.
@case(([], X))
def stores_an_array(items, x):
    y = x * 2.0
    items.append(y)
    y[0] = 9.0
    items.append(x)
    return y


# None and strings among the items.
@case(([None, "a", 1],))
def mixed_arguments(items):
    if items[0] is None:
        items[0] = items[2] + 1
    items[1] = items[1] + "b"
    return items


# Out of bounds at the caller's list.
@case(([1, 2, 3], 1), ([1, 2, 3], 3), ([], 0))
def index_of_the_argument(items, i):
    items[i] += 10
    return items


# Lists whose length is known at run time only are ordered by the first items that differ.
@case(([1, 2], 0), ([1, 2], 2), ([2], 1), ([], 3))
def ordered_after_growth(items, n: int):
    grown = items[:]
    for i in range(n):
        grown.append(i)
    least, most = min(grown, items), max([1, 1], grown)
    return grown < items, items <= grown, [1] > grown, least, most, sorted([grown, [1], items])


# One list under two names, on one of two paths: what is put in by one is seen by the other, of
# whatever type it is.
@case((7, []), (7, [1]), (0, []), (0, [1, 2]))
def grows_by_a_name_of_one_path(i, items):
    other = items
    if i == 0:
        other = [3]
    other.extend([1, 7])
    return items[-1], isinstance(items[-1], int)


@case((7, []), (7, [1]), (0, []), (0, [1, 2]))
def grows_by_its_own_name(i, items):
    other = items
    if i == 0:
        other = [3.5, 2]
    items.append("a")
    return isinstance(other[-1], str), other[-1]


@case((7, []), (7, [1]), (0, []))
def grows_where_it_may_be_a_number(i, items):
    other = items
    if i == 0:
        other = 1
    other.extend([1, 7])
    return items[1]


@case((7, []), (7, [1]), (0, [1]))
def grows_where_it_may_be_none(i, items):
    other = items if i else None
    other.append("a")
    return items[-1] == "a", isinstance(items[0], int), items


@case((7, []), (7, [1, 2]), (0, []), (0, [1, 2]))
def held_by_a_dict_and_grown_by_a_third_name(i, items):
    held = {"a": items}
    other = items if i else 1
    other.extend([0.5, "x"])
    return held["a"][-1], isinstance(held["a"][-1], str), items


@case((7, 1, []), (0, 1, []), (7, 1, [1, 2]), (0, 1, [1, 2]))
def counted_on_one_path(i, j, items):
    other = items
    match i:
        case 0:
            other = [items.count(j)]
    other.extend([1, 7])
    items[0], items[-1] = items[-1], items[0]
    return items, other


@case((7, {}), (0, {}), (7, {"a": 3}), (0, {"c": 1.5}))
def a_dict_under_two_names(i, table):
    other = table
    if i == 0:
        other = {"a": 1.5}
    other["b"] = "text"
    return len(table), other["b"], "b" in table
