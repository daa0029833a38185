"""Where paths meet: objects that become real on them, names for one of two, None from a handler."""

from __future__ import annotations

import enum
from typing import NamedTuple

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.0, 2.0, 3.0])


class Pair(NamedTuple):
    n: int
    w: float


class Box:
    def __init__(self, n):
        self.items = [n]

    def add(self, n=1):
        self.last = n

    def __setitem__(self, position, value):
        self.items[position] = value


class Cell:
    def __init__(self, value):
        self.value = value


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Failure(Exception):
    def __init__(self, what, where):
        super().__init__(what)
        self.where = where


# None that the body of a try has bound is None in the handler, and after it.
@case((0, X), (5, X))
def none_from_a_body(j: int, x: f64["n"]):
    option = 3
    try:
        option = None
        x[j] = 2.0
    except IndexError:
        x[0] = 7.0
    if option is None:
        raise ValueError("it is")
    return option


# An item of a list of Nones, whose length is known at run time.
@case((True,), (False,))
def nones_in_a_list(grows: bool):
    found = [None]
    if grows:
        found.append(None)
    return found[-1] is None, found[-1] is not None, found[-1] == None, not found[-1]  # noqa: E711


# What an exception holds may be None.
@case((1,), (0,))
def none_in_an_exception(n: int):
    try:
        raise Failure("here", None if n else 2)
    except Failure as error:
        return error.where is None, None is not error.where


# A named tuple made after an early return, on the path that goes on.
@case((4, X, 3), (0, X, 3), (0, X[:0], 3))
def tuple_after_a_return(j: int, x: f64["n"], k: int):
    last = j
    for _ in x:
        if j:
            return last
        last = Pair(1 % k, 1)
    return last


# An attribute set on one path only makes the object real there, with the list that it holds.
@case((4, 0, 0.5), (0, 0, 0.5), (4, 1, 0.5))
def list_in_a_real_object(i: int, j: int, a: float):
    box = Box(a)
    if i:
        box.add()
    box[j] = j
    return box


# ... where the list has a name of its own.
@case((4, 0.5), (0, 0.5))
def named_list_in_a_real_object(i: int, a: float):
    items = [a]
    if i:
        box = Box(a)
        box.first = 1
        box.items = items
    else:
        box = Box(a)
        box.second = 2
    items[0] = 5
    return box, items


# ... two levels down.
@case((4, 2), (0, 2))
def dict_in_a_real_object(i: int, j: int):
    table = {"x": [0]}
    box = Box(table)
    if i:
        box.add()
    table["x"][0] = j
    return box


# ... in a loop that may not run.
@case((3, 2), (0, 2))
def real_object_in_a_loop(i: int, j: int):
    box = Box(j)
    items = box.items
    while i:
        box.last = {"k": items}
        i -= 1
    items[0] = i
    return box


# A list of lists from outside at a position of the running program: its items are read from memory
# by all their names.
@case(([[1, 2], [3], []], 0), ([[1, 2], [3], []], 1), ([[1, 2], [3], []], 5))
def item_of_a_list_of_lists(rows, n):
    first = rows[0]
    first.append(7)
    rows[n].append(4)
    first[0] = 8
    return rows[n], first, rows


# ... one of its lists is another one afterwards.
@case(([[1, 2], [3]], 0), ([[1, 2], [3]], 1))
def list_put_into_a_list_of_lists(rows, n):
    first = rows[0]
    rows[n] = [4]
    first.append(n)
    return rows[0], first, len(rows[n])


# ... a dict of lists.
@case(({"a": [1], "b": [2]}, "a"), ({"a": [1], "b": [2]}, "b"), ({"a": [1], "b": [2]}, "c"))
def item_of_a_dict_of_lists(table, key):
    first = table["a"]
    table[key].append(5)
    return first, len(first), first[-1]


# A graph as lists of neighbours.
@case(([[1, 2], [3], [3], []], 0), ([[], [0]], 1))
def reached_from(neighbours, start):
    seen = [False] * len(neighbours)
    order = []

    def visit(node):
        seen[node] = True
        order.append(node)
        for other in neighbours[node]:
            if not seen[other]:
                visit(other)

    visit(start)
    return order


# ... and the distances in it.
@case(([[1, 2], [3], [3], []], 0), ([[], [0]], 1))
def distances(neighbours, start):
    found = {start: 0}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in neighbours[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


# Which of two empty lists gets the first item is decided by the running program: both may hold such.
@case((X, 1.5), (X, -1.0), (X[:0], 0.0))
def two_lists_filled(x: f64["n"], pivot: float):
    low, high = [], []
    for value in x.tolist():
        chosen = low if value < pivot else high
        chosen.append(value)
    return [v / 2 for v in low], [v + 1 for v in high]


# A dict of each round that is returned out of the loop, and bound to what was an int.
@case(({"n": 1},), ({"n": 1, "q": 2},))
def returned_or_bound(table):
    d = 1
    for _ in range(1):
        d = {**table}
        return d
    return d


# A list that is another one on one path only stays itself under its own name.
@case((1, 4, X, [4, 6]), (1, 0, X, [4, 6]), (1, 0, X[:1], [4]))
def returned_under_two_names(i: int, j: int, x, items):
    first = [i]
    second = items
    if j:
        second = first
        return first, second
    for k in range(len(x)):
        if k:
            return first, second
        items.append(1)
    return second, first


# An object that is one of two things on a path is still the object that the other name has.
@case((1,), (0,))
def object_or_number(n):
    cell = Cell(1)
    chosen = cell if n else 5
    cell.value = 9
    return chosen, cell, chosen is cell


# ... in a tuple or a list, too.
@case((1, 0), (0, 1), (1, 1))
def object_in_a_tuple_or_number(n, k):
    cell = Cell([])
    one = (cell, n) if n else 0
    other = [cell, cell] if k else "none"
    cell.value.append(4)
    return one, other, cell


# ... in lists of different lengths.
@case((1,), (0,))
def object_in_one_of_two_lists(k):
    first, second = Cell(1), Cell(2)
    cells = [first, second] if k else [second]
    first.value = 4
    cells[0].value += 1
    return cells, first, second


# ... in a loop.
@case((0,), (2,), (3,))
def object_or_number_in_a_loop(n):
    cell = Cell(0)
    last = 5
    kept = []
    for i in range(n):
        if i == 1:
            last = cell
        kept.append(cell if i % 2 else i)
        cell.value += 1
    return last, kept, cell


# Which of several things this is: one of them is an object in memory, or one that Python knows.
@case((1,), (0,))
def is_that_list(n):
    items = [2]
    chosen = items if n else None
    return chosen is items, items is not chosen


@case((0,), (1,), (2,))
def is_that_item(n):
    items = [2]
    held = [items, None, items]
    return held[n] is items, [each is items for each in held]


@case((1,), (0,))
def is_that_member(n):
    chosen = Color.RED if n else 1
    return chosen is Color.RED, Color.RED is chosen, chosen is Color.BLUE


@case((1,), (0,))
def is_that_class(n):
    chosen = int if n else 1
    return int is chosen, chosen is int


@case(([Color.RED, 1], 0), ([Color.RED, 1], 1))
def is_that_member_of_a_list(items, n):
    return items[n] is Color.RED


# Whether there is a key is decided by the running program.
@case(([3, 1, 2], True), ([3, 1, 2], False))
def key_or_none(items, descending):
    key = (lambda item: -item) if descending else None
    return sorted(items, key=key), max(items, key=key), min(4, items[0], key=key)


# Whether a bound of a slice is None is decided by the running program.
@case(([1, 2, 3], "abc", 2), ([1, 2, 3], "abc", 0), ([], "", 1))
def bound_or_none(items, text, n):
    stop = n if n else None
    found = items[:stop], text[stop:], [4, 5][stop:], items[::stop]
    items[:stop] = [7]
    del items[stop:]
    return found, items


# An object of a loop that may hold what a round makes, or what it held before.
@case((0,), (1,), (3,))
def made_where_missing(n):
    first = Cell(Cell(None))
    last = first
    for _ in range(n):
        last.value = Cell(None) if last.value is None else last.value
        last = last.value
    return last.value is None


# --- one of two lists or dicts, one of them written to on its path --------------------------------


@case((1, 2, {"k": 4}), (0, 2, {"k": 4}))
def written_dict_or_argument(flag, a, table):
    own = {"a": 1}
    if flag:
        own["b"] = 4
        either = own
    else:
        either = table
    either["k"] = 5
    table["k"] += a
    return own


@case((True, [5, 6]), (False, [5, 6]))
def written_list_or_argument(flag, items):
    own = [1]
    both = [items, own]
    if flag:
        own.append(2)
        either = own
    else:
        either = items
    either.append(2.5)
    return items, own, both, len(items), either is own


@case((True, [5]), (False, [5]))
def both_written_and_renamed(flag, items):
    own = [1]
    if flag:
        own.append(2)
        either = own
    else:
        own.append(4)
        either = items
        items = own
    either.append(3)
    return items, own, either is own


# The second round writes to the argument.
@case((5, -1.5, {"n": 2, "q": 4}), (5, 0.0, {"n": 2, "q": 4}))
def argument_from_the_second_round(first, a, table):
    held = {"q": first}
    rounds = 3
    while rounds:
        rounds -= 1
        if a:
            held["q"] = 1
            held = table
    table["q"] += 1


@case((7, [5, 5, -1]), (0, [5, 5, -1]), (2, [4]))
def argument_or_a_list_of_a_round(i, items):
    last = items
    for _ in range(3):
        match 2 & i:
            case 0:
                pass
            case n:
                items = [1] * n
    items.clear()
    last.append(len(last))
    return items


@case((0, [5]), (1, [5]), (4, [5]))
def list_written_in_a_later_round(n, items):
    own = [1]
    for i in range(n):
        if i > 1:
            own.append(2)
            either = own
        else:
            either = items
        either.append(3)
        own = either
    return items, own, len(items)


# Two dicts of the same keys: a write is seen by both names.
@case((1, {"n": 1, "q": 4}), (0, {"n": 1, "q": 4}))
def write_to_one_of_two_dicts(flag, table):
    own = {"n": flag, "q": 1}
    either = table if flag else own
    either["q"] = 3
    own["n"] += 5
    return own, table, either is own


@case((1, 0), (1, 1), (0, 0), (0, 1))
def write_to_one_of_three_dicts(first, second):
    a, b, c = {"k": 1}, {"k": 2}, {"m": 1}
    either = a if first else b
    if second:
        last = either
    else:
        c["n"] = 3
        last = c
    last["m"] = 9
    return a, b, c, either


# The state of a model, kept or made anew.
@case((0.5, 3), (2.0, 3), (0.5, 0))
def state_kept_or_replaced(x, n):
    best = {"x": 0.0, "loss": 10.0}
    for i in range(n):
        loss = (x - i) ** 2
        trial = {"x": x + i, "loss": loss}
        best = trial if loss < best["loss"] else best
        best["loss"] *= 0.9
    return best


# A loop in a loop lets a name stand for the argument.
@case((4, {"n": -3, "q": 4}), (0, {"n": -3, "q": 4}))
def argument_from_an_inner_loop(n, table):
    own = {"n": n, "q": 1}
    for _ in range(n):
        rounds = 1
        while rounds:
            rounds -= 1
            own = table
    own.update(q=1)
    return {**table}, own
