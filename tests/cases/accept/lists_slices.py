"""Slices of lists: read, assigned, deleted; with constant and with run-time bounds."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case


# Constant bounds.
@case((1, 2, 3))
def reads_slices(a: int, b: int, c: int):
    items = [a, b, c, 4, 5]
    return items[1:3], items[-2:], items[:-1], items[::2], items[::-1], items[10:]


# Run-time bounds.
@case((1, 3), (-2, 9), (3, 1), (-99, 0))
def reads_by_run_time_bounds(i: int, j: int):
    items = [10, 20, 30, 40, 50]
    return items[i:j], items[i:], items[:j]


# Run-time steps; a step of zero is a ValueError.
@case((1,), (-2,), (9,), (0,))
def reads_by_a_run_time_step(step: int):
    items = [1, 2, 3, 4, 5]
    return items[::step], items[1:4:step]


# A slice is a copy.
@case((7,))
def slices_are_copies(value: int):
    items = [1, 2, 3]
    part = items[1:]
    part[0] = value
    items[2] = -value
    return items, part, items[:] is items


# Assignment to a slice of the same length.
@case((7, 8))
def assigns_the_same_length(a: int, b: int):
    items = [1, 2, 3, 4]
    items[1:3] = [a, b]
    items[-1:] = (a + b,)
    return items


# ... of another length: the list grows or shrinks.
@case((7,))
def assigns_another_length(a: int):
    items = [1, 2, 3, 4]
    items[1:2] = [a, a, a]
    longer = items.copy()
    items[2:] = []
    shorter = items.copy()
    items[:] = [a]
    return longer, shorter, items


# ... between two items, and at the ends.
@case((5, 6))
def inserts_by_slices(a: int, b: int):
    items = [1, 2]
    items[1:1] = [a]
    items[:0] = [b]
    items[len(items) :] = [a, b]
    return items


# Every other item; another number of values is a ValueError.
@case(([7, 8],), ([7],))
def assigns_with_a_step(values):
    items = [1, 2, 3, 4]
    items[::2] = values
    return items


# Backwards.
@case((7, 8, 9))
def assigns_backwards(a: int, b: int, c: int):
    items = [1, 2, 3]
    items[::-1] = [a, b, c]
    return items


# Assignment by run-time bounds.
@case((1, 2), (0, 4), (2, 1), (-1, 99))
def assigns_by_run_time_bounds(i: int, j: int):
    items = [10, 20, 30, 40]
    items[i:j] = [0, 0]
    return items


# A list is assigned to its own slice.
@case((1, 2))
def assigns_itself(a: int, b: int):
    items = [a, b]
    items[1:] = items
    once = items.copy()
    items[:1] = items[::-1]
    return once, items


# Augmented assignment to a slice.
@case((3, 4))
def augments_a_slice(a: int, b: int):
    items = [1, 2, 3]
    items[1:] += [a, b]
    items[:1] *= 2
    return items


# del of slices.
@case((1, 3), (-2, 9), (0, 0))
def deletes_slices(i: int, j: int):
    items = [1, 2, 3, 4, 5]
    del items[i:j]
    rest = [1, 2, 3, 4, 5]
    del rest[::2]
    other = [1, 2, 3]
    del other[:]
    return items, rest, other


# A slice as a target among others.
@case((1, 2))
def slice_among_targets(a: int, b: int):
    items = [0, 0, 0]
    x, items[1:], y = a, [b, b, b], a + b
    return x, items, y


# Swaps of items, through constants and run-time indexes.
@case((0, 2), (1, 1), (-1, 0), (0, 3))
def swaps_items(i: int, j: int):
    items = [10, 20, 30]
    items[i], items[j] = items[j], items[i]
    return items


# A rotation by slices.
@case((2,), (0,), (-1,), (7,))
def rotates(k: int):
    items = [1, 2, 3, 4, 5]
    return items[k:] + items[:k]


# Slices of lists in lists share the inner ones.
@case((9,))
def slices_share_inner_lists(value: int):
    outer = [[1], [2], [3]]
    part = outer[1:]
    part[0].append(value)
    part[1] = [value]
    return outer, part


# A palindrome by slices.
@case((1, 2), (1, 1))
def is_a_palindrome(a: int, b: int):
    items = [a, b, a, b]
    return items == items[::-1], items[:3] == items[2::-1]


# Windows and pairs by slices.
@case(([1.0, 4.0, 9.0, 16.0],), ([1.0],), ([],))
def differences(items):
    return [b - a for a, b in zip(items, items[1:])], list(zip(items[::2], items[1::2]))


# Pieces of a run-time size.
@case((2,), (3,), (10,))
def pieces(size: int):
    items = [1, 2, 3, 4, 5, 6, 7]
    parts = []
    for start in range(0, len(items), size):
        parts.append(items[start : start + size])
    return len(parts), parts[0], parts[-1]


# A slice object is an index as well.
@case((1,), (3,))
def slice_objects(n: int):
    items = [1, 2, 3, 4]
    part = slice(1, n)
    rest = items[part]
    items[part] = [0]
    return rest, items


# Binary search over a list, and insertion at its place.
@case((4,), (0,), (99,), (5,))
def inserts_in_order(value: int):
    items = [1, 3, 5, 7]
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < value:
            low = middle + 1
        else:
            high = middle
    items[low:low] = [value]
    return low, items


# Merge of two ordered lists by their heads.
@case(([1, 4], [2, 3, 9]), ([], [1]), ([], []))
def merges(a, b):
    a, b = a[:], b[:]
    out = []
    while a and b:
        out.append(a.pop(0) if a[0] <= b[0] else b.pop(0))
    return out + a + b


# The sum of a list by halves, recursively.
def total(items):
    if len(items) == 0:
        return 0
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    return total(items[:half]) + total(items[half:])


@case((1, 2, 3), (0, 0, 0))
def sum_by_halves(a: int, b: int, c: int):
    return total([a, b, c, a, b]), total([])


# A slice with a step is deleted from a list whose length is known at run time only.
@case((4, 2), (5, -1), (5, -3), (3, 0))
def delete_steps(n: int, step: int):
    grown = [0, 1]
    for i in range(n):
        grown.append(i * 10)
    kept = grown[:]
    del grown[1::2]
    del kept[::step]
    return grown, kept


# A slice takes all that can be gone through, whose length is known at run time only.
@case((np.arange(5), 2), (np.arange(5), 0))
def slices_from_iterables(x: np.ndarray, n: int):
    items = [1, 2, 3]
    items[1:2] = x[:n]
    items[:1] = range(n)
    items[n:n] = (v * v for v in x)
    items[-1:] = map(abs, range(-n, 0))
    return items
