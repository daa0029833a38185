"""Writes through slices and rows: the base, the view, and other views see them."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.arange(6.0)
M = np.arange(12.0).reshape(3, 4)
P = np.array([[1.0, 2.0], [3.0, 4.0]])


# A write through a slice is seen by the base.
@case((X, 9.0))
def the_base_sees_it(x: f64["n"], value: float):
    tail = x[2:]
    tail[0] = value
    tail *= 2.0
    return x, tail


# A write to the base is seen by the view.
@case((X,))
def the_view_sees_it(x: f64["n"]):
    tail = x[-2:]
    before = tail.sum()
    x[-1] = 100.0
    return before, tail.sum(), tail


# Two views that overlap.
@case((X,))
def overlapping_views(x: f64["n"]):
    a, b = x[:4], x[2:]
    a += 10.0
    b *= 2.0
    a[3] = -1.0
    return a, b, x


# A view of a view of a view.
@case((X,))
def view_of_a_view(x: f64["n"]):
    y = x[1:][::2][1:]
    y[:] = 50.0
    return x, y


# Run-time bounds of the view.
@case((X, 1, 4), (X, 4, 1), (X, -2, 99))
def view_with_run_time_bounds(x: f64["n"], i: int, j: int):
    part = x[i:j]
    part -= 1.0
    x[i] = 30.0
    return part, part.size, x


# Negative steps.
@case((X,), (X[:1],))
def reversed_view(x: f64["n"]):
    back = x[::-1]
    back[0] = 70.0
    back[1:] += back[:-1]
    return x, back


# A row of a matrix.
@case((M, 0), (M, -1), (M, 3))
def row_view(m: f64["m", "n"], i: int):
    row = m[i]
    row[0] = -5.0
    row += 0.5
    return m, row


# A column of a matrix.
@case((M, 2))
def column_view(m: f64["m", "n"], j: int):
    column = m[:, j]
    column[:] = column[::-1].copy()
    column[0] += 0.25
    return m, column


# A block, and a row of the block.
@case((M,))
def block_view(m: f64["m", "n"]):
    block = m[1:, 1:3]
    top = block[0]
    top[:] = 1.5
    block *= 2.0
    m[1, 1] = 0.0
    return m, block, top


# Rows in a for loop are views.
@case((M,), (np.zeros((0, 2)),))
def rows_in_a_loop(m: f64["m", "n"]):
    for row in m:
        row -= row.mean()
    return m


# ... with enumerate, zip and reversed.
@case((M, np.array([1.0, 2.0, 3.0])))
def rows_with_helpers(m: f64["m", "n"], x: f64["m"]):
    for i, row in enumerate(m):
        row[i] = 100.0
    for row, factor in zip(m, x):
        row *= factor
    for row in reversed(m):
        row[-1] = row[0]
    return m


# Elements of a vector in a for loop are not.
@case((X,))
def elements_in_a_loop(x: f64["n"]):
    total = 0.0
    for value in x:
        value += 10.0
        total += value
    return total, x


# The loop reads what its body wrote further on.
@case((X,))
def iteration_sees_writes(x: f64["n"]):
    seen = np.zeros(len(x))
    for i, value in enumerate(x):
        seen[i] = value
        if i + 1 < len(x):
            x[i + 1] = value + 0.5
    return seen, x


# Rows that come out of a tuple assignment are views.
@case((P,))
def unpacked_rows(pair: f64["m", "n"]):
    a, b = pair
    a += b
    b[0] = 50.0
    return pair, a, b


# ... also the starred ones, in a list.
@case((M,))
def starred_rows(m: f64["m", "n"]):
    first, *rest = m
    rest[0][:] = first
    rest[-1] *= 2.0
    first[0] = 9.0
    return m, rest


# Scalars that come out of a vector are not.
@case((np.array([1.0, 2.0]),))
def unpacked_scalars(x: f64["n"]):
    a, b = x
    a += 5.0
    x[1] = 7.0
    return a, b, x


# A view is kept while its name is bound anew.
@case((X,))
def rebinding_a_view(x: f64["n"]):
    part = x[:3]
    kept = part
    part = part * 2.0
    part[0] = 99.0
    kept[1] = 55.0
    return x, part, kept


# The base is bound anew; the view keeps the old one.
@case((X,))
def rebinding_the_base(x: f64["n"]):
    part = x[:2]
    x = np.zeros(3)
    x[0] = 1.0
    part += 10.0
    return x, part


# Views are chosen by a branch.
@case((X, 1), (X, 0))
def view_by_a_branch(x: f64["n"], n: int):
    part = x[:3] if n else x[3:]
    part[0] = -10.0
    x[1] = 2.5
    return part, x


# A view or a copy by a branch.
@case((X, True), (X, False))
def view_or_copy(x: f64["n"], flag: bool):
    if flag:
        part = x[1:]
    else:
        part = x[1:].copy()
    part *= 3.0
    return x, part


# The view moves in a loop.
@case((X, 3), (X, 0), (X, 20))
def moving_window(x: f64["n"], steps: int):
    window = x
    for _ in range(steps):
        window[:1] += 100.0
        window = window[1:]
    return window, x


# A view shrinks from both sides until it is empty.
@case((X,), (X[:3],))
def shrinks_from_both_sides(x: f64["n"]):
    part = x
    depth = 1.0
    while part.size > 1:
        part += depth
        part = part[1:-1]
        depth *= 10.0
    return x, part


# A function returns a view, the caller writes.
def middle(values):
    return values[1:-1]


@case((X,))
def view_out_of_a_function(x: f64["n"]):
    part = middle(x)
    part[:] = 8.0
    middle(part)[0] = 9.0
    middle(x + 1.0)[0] = 77.0
    return x, part


# A function gets a view and writes.
def doubles(values):
    values *= 2.0
    return values


@case((M,))
def view_into_a_function(m: f64["m", "n"]):
    row = doubles(m[1])
    doubles(m[:, 0])
    doubles(m[0, :2].copy())
    return m, row


# Views in a list, in a tuple, in a dict.
@case((X,))
def views_in_structures(x: f64["n"]):
    parts = [x[:2], x[2:4]]
    table = {"tail": x[4:], "pair": (x[::2], x[1::2])}
    parts[0] += 1.0
    table["tail"][:] = parts[1]
    table["pair"][1][0] = -9.0
    return x, parts, table


# Rows collected in a list stay views of the matrix.
@case((M,))
def list_of_rows(m: f64["m", "n"]):
    rows = [row for row in m]
    rows[0], rows[-1] = rows[-1], rows[0]
    rows[0][0] = 500.0
    return m, rows


# Merge sort on slices, in place.
def merge_sorts(x):
    if len(x) < 2:
        return
    half = len(x) // 2
    left, right = x[:half].copy(), x[half:].copy()
    merge_sorts(left)
    merge_sorts(right)
    i = j = 0
    for k in range(len(x)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            x[k] = left[i]
            i += 1
        else:
            x[k] = right[j]
            j += 1


@case((np.array([3, 1, 2, 9, -4]),), (np.array([1]),))
def merge_sort(k: i64["n"]):
    merge_sorts(k)
    return k


# Halves are exchanged through a buffer.
@case((X, np.zeros(3)))
def exchanges_halves(x: f64["n"], buffer: f64["k"]):
    half = len(x) // 2
    buffer[:] = x[:half]
    x[:half] = x[half:]
    x[half:] = buffer
    return x.sum(), x[0]
