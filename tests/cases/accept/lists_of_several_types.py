"""Lists in one container whose items are of several types, and which paths write to."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case


class Tracker:
    """Keeps what was measured, by name."""

    def __init__(self):
        self.history = {}

    def __setitem__(self, name, value):
        self.history.setdefault(name, []).append(value)

    def __getitem__(self, name):
        return self.history[name][-1]

    def __delitem__(self, name):
        self.history[name].pop()
        if not self.history[name]:
            del self.history[name]

    def __len__(self):
        return sum(map(len, self.history.values()))


# One list holds floats, another one ints; nothing but the key tells them apart.
@case((3, 0.5), (0, 1.0), (1, 2.0))
def floats_beside_ints(n: int, x: float):
    history = {}
    for i in range(n):
        history.setdefault("loss", []).append(x / (i + 1))
        if i % 2:
            history.setdefault("step", []).append(i)
    return history, sum(map(len, history.values()))


# ... through the methods of a class.
@case((3, 0.5), (0, 1), (1, 2))
def tracked(n, x):
    tracker = Tracker()
    for i in range(n):
        tracker["loss"] = x / (i + 1)
        if i % 2:
            tracker["step"] = i
    if n > 1:
        del tracker["step"]
    try:
        last = tracker["step"]
    except KeyError as error:
        last = repr(error)
    tracker["loss"] = last if n > 3 else -1
    return len(tracker), sorted(tracker.history), tracker["loss"], last


# ... of an argument.
@case((Tracker(), 3, 0.5), (Tracker(), 0, 1.0))
def tracker_of_the_caller(tracker, n, x):
    for i in range(n):
        tracker["step"] = i
        tracker["loss"] = x / (i + 1)
    return len(tracker)


# Dicts in a dict.
@case((3, 0.5), (0, 1.0), (1, 2.0))
def dicts_of_several_types(n: int, x: float):
    tables = {}
    for i in range(n):
        tables.setdefault("numbers", {})[i] = x
        tables.setdefault("texts", {})[str(i)] = i
    total = 0
    for table in tables.values():
        for value in table.values():
            total += value
    return tables, total


# A list of lists to which items of a third type go.
@case((3, 0.5), (0, 1.0), (1, 2.0))
def rows_of_several_types(n: int, x: float):
    rows = [[]]
    for i in range(n):
        rows[-1].append(x)
        if i % 2:
            rows.append([i])
    rows[0].insert(0, None)
    return rows, [len(row) for row in rows]


# One path makes the outer list longer, the other one the inner one.
@case((3, 0.5), (0, 1.5), (2, 2.5))
def outer_or_inner(n: int, x: float):
    stack = [[1.5]]
    if n % 2:
        stack.append([2.5])
    else:
        stack[-1].append(x)
    return stack


# ... again and again: a stack of lists.
@case((3, 0.5), (0, 1.0), (8, 2.0))
def stack_of_lists(n: int, x: float):
    stack = [[]]
    for i in range(n):
        if i % 3 == 0:
            stack.append([])
        elif i % 3 == 1:
            top = stack.pop()
            stack[-1].append(len(top))
        else:
            stack[-1].append(x)
    return stack


# Every name of the inner lists sees the same list afterwards.
@case((3, 0.5), (0, 1), (2, 2))
def names_of_inner_lists(n, x):
    a, b = [1], [x]
    stack, c = [a, b], b
    if n % 2:
        stack.append([7])
        a[0] = x
    else:
        b.append(n)
        stack.pop(0)
    c.append("c")
    a.append(a is stack[0])
    return stack, a, b, c, c is b


# ... at every level.
@case((3, 0.5), (0, 1), (2, 2))
def names_at_every_level(n, x):
    outer = [[[1]]]
    middle = outer[0]
    inner = middle[0]
    if n % 2:
        outer.append(middle)
        inner.append(x)
    else:
        middle.append(inner)
        inner[0] = 7
    inner.append(8)
    return outer, middle, inner


# ... in a dict.
@case((3, 0.5), (0, 1), (2, 2))
def names_of_values(n, x):
    table = {"k": [1]}
    values = table["k"]
    if n % 2:
        table[n] = [x]
        values.append(2)
    else:
        values.clear()
    values.append(3)
    for key in table:
        table[key].append(n)
    return table, values, table["k"] is values


# ... of the caller's.
@case(([[1]], 3, 0.5), ([[1, 2], []], 0, 1), ([[2]], 2, 2))
def lists_of_the_caller(stack, n, x):
    if n % 2:
        stack.append([7])
    else:
        stack[0].append(n)
    stack[0].insert(0, x)
    return stack


# The towers of Hanoi: a recursion at run time takes from one list and puts onto another.
@case((3,), (0,), (1,))
def hanoi(n: int):
    pegs, moves = {"A": list(range(n, 0, -1)), "B": [], "C": []}, []

    def move(count, source, target, spare):
        if count == 0:
            return
        move(count - 1, source, spare, target)
        pegs[target].append(pegs[source].pop())
        moves.append(source + target)
        move(count - 1, spare, target, source)

    move(n, "A", "C", "B")
    return moves, pegs


# An array of ints and floats is one of floats, unless all are ints: whoever reads it is told.
@case((np.array([1.5, -2.0, 4.0]),), (np.array([-1.0, -3.0]),), (np.ones(0),))
def arrays_of_ints_and_floats(x: f64["n"]):
    clipped = []
    for value in x:
        if value > 0:
            clipped.append(float(value))
        else:
            clipped.append(0)
    total = np.sum(clipped) if len(x) else None
    x += clipped
    return np.array(clipped), np.asarray(clipped, dtype=np.float32), total, x * clipped, x > clipped


# ... and so are rows of them, and arrays of two dtypes.
@case((3, True), (3, False), (1, False))
def rows_of_ints_and_floats(n: int, whole: bool):
    rows, arrays = [], []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(i if whole or i == j else j / 2)
        rows.append(row)
        arrays.append(np.arange(n) if whole else np.arange(n) / 2)
    return np.array(rows), np.mean(rows, axis=0), np.ones(n) @ rows, np.array(arrays)


# ... a matrix that is solved and inverted.
@case((3,), (1,))
def matrices_of_ints_and_floats(n: int):
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            rows[i][j] = 1 / (i + j + 1) if i != j else 1
    return np.linalg.solve(rows, np.ones(n)), np.linalg.inv(rows)
