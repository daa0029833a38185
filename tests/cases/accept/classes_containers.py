"""Classes that behave as containers: items, length, iteration, membership, attributes."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
M = np.arange(6.0).reshape(2, 3)


class Row:
    """Wraps a list."""

    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, value):
        self.items[i] = value

    def __delitem__(self, i):
        del self.items[i]

    def __contains__(self, value):
        return value in self.items

    def __iter__(self):
        return iter(self.items)


class Sequence:
    """Has items only: iteration asks for 0, 1, 2, … until IndexError."""

    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * i


class Countdown:
    """Is its own iterator."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Tree:
    """Iterates by a generator."""

    def __init__(self, value, *children):
        self.value = value
        self.children = children

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child


class Matrix:
    """Takes pairs, slices and ellipses as indexes."""

    def __init__(self, array):
        self.array = array

    @property
    def shape(self):
        return self.array.shape

    @property
    def T(self):
        return Matrix(self.array.T)

    def __getitem__(self, index):
        return self.array[index]

    def __setitem__(self, index, value):
        self.array[index] = value

    def __matmul__(self, other):
        return Matrix(self.array @ other.array)

    def __len__(self):
        return len(self.array)


class Record:
    """Attributes that are made up, and such that are noted."""

    def __init__(self, **values):
        self.values = values

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.values[name]


class Index:
    """Is an index by itself."""

    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


class Stack:
    """A list with a limit."""

    def __init__(self, limit):
        self.limit = limit
        self.items = []

    def push(self, item):
        if len(self.items) == self.limit:
            raise OverflowError("full")
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


class Ring:
    """Overwrites its oldest element."""

    def __init__(self, size):
        self.data = np.zeros(size)
        self.place = 0

    def push(self, value):
        self.data[self.place % len(self.data)] = value
        self.place += 1

    def mean(self):
        return self.data[: min(self.place, len(self.data))].mean()


# Items are read and written.
@case((1, 2.5))
def reads_and_writes_items(n: int, x: float):
    row = Row(n, x, 3)
    row[0] = x
    row[-1] += n
    row[1] *= 2
    return row, row[0], row[1:], len(row)


# Items at run-time places: IndexError beyond.
@case((0, 5), (-1, 5), (3, 5))
def items_at_run_time(i: int, value: int):
    row = Row(1, 2, 3)
    row[i] += value
    return row[i], row


# del, in, the truth by the length.
@case((2,), (9,))
def membership_and_truth(n: int):
    row, empty = Row(1, n, 3), Row()
    found = n in row, 9 not in row, bool(row), not empty
    del row[1]
    return found, len(row), n in row


# Iteration, unpacking, and functions over it.
@case((1, 2, 3))
def iterates(a: int, b: int, c: int):
    row = Row(a, b, c)
    x, *rest = row
    doubled = [item * 2 for item in row]
    return x, rest, doubled, sum(row), max(row), list(enumerate(row)), sorted(row, reverse=True)


# Iteration writes to the object itself.
@case((1, 2))
def writes_while_it_iterates(a: int, b: int):
    row = Row(a, b)
    for i, item in enumerate(row):
        row[i] = item + 10
    return row.items


# Iteration through items alone.
@case((5,))
def old_iteration(n: int):
    squares = Sequence(4)
    total = 0
    for value in squares:
        total += value * n
    return total, list(squares), 9 in squares, squares[2]


# An iterator of its own, used up once.
@case((1,))
def own_iterator(n: int):
    count = Countdown(3)
    first = [value + n for value in count]
    return first, list(count), count.n


# Iteration by a generator, recursively.
@case((1, 2, 3))
def generator_method(a: int, b: int, c: int):
    tree = Tree(a, Tree(b, Tree(c)), Tree(a + b))
    return list(tree), sum(tree), max(tree)


# Pairs, slices and ellipses as indexes.
@case((M, 1))
def several_indexes(m: f64["m", "n"], i: int):
    matrix = Matrix(m)
    matrix[0, i] = 50.0
    matrix[:, -1] += 0.5
    matrix[..., 0] = matrix[1, 1:].sum()
    return matrix[i], matrix.shape, len(matrix), m


# Properties make views: writes through them are seen.
@case((M,))
def views_by_properties(m: f64["m", "n"]):
    matrix = Matrix(m)
    matrix.T[2, 0] = -9.0
    product = matrix @ matrix.T
    product[0, 0] = 0.0
    return m, product.array, matrix.T.T.array is m


# Attributes that are made up by `__getattr__`.
@case((1, 2.5))
def made_up_attributes(n: int, x: float):
    record = Record(n=n, x=x)
    record.values["y"] = n * x
    return record.n + record.x, record.y, hasattr(record, "_z")


# ... a missing one: KeyError.
@case((1, True), (1, False))
def missing_made_up_attribute(n: int, read: bool):
    record = Record(n=n)
    if read:
        return record.m
    return record.n


# An index of its own kind.
@case((X, 2), (X, 7))
def objects_as_indexes(x: f64["n"], n: int):
    return x[Index(1)], [10, 20, 30][Index(0)], x[Index(n)]


# A stack that is full: OverflowError; one that is empty: IndexError.
@case((2,), (3,), (-1,))
def stack(n: int):
    stack = Stack(2)
    for i in range(n):
        stack.push(i)
    if n < 0:
        stack.pop()
    return stack, len(stack), stack.pop() if stack else None


# A ring over an array, in a run-time loop.
@case((X, 2), (X, 5), (X[:0], 1))
def ring(x: f64["n"], size: int):
    ring = Ring(size)
    for value in x:
        ring.push(value)
    return ring.data, ring.mean() if ring.place else None


# Containers in containers.
@case((1, 2))
def nested_containers(a: int, b: int):
    row = Row(Row(a, b), [a], {"b": b})
    row[0][1] += 5
    row[1].append(b)
    row[2]["c"] = row[0]
    return row, len(row[0]), row[0][1]


# reversed asks for length and items.
@case((1, 2, 3))
def reversed_container(a: int, b: int, c: int):
    return list(reversed(Row(a, b, c))), list(zip(Row(a, b), Row(b, c)))


# A dict finds an object by the '__hash__' and '__eq__' of its class.
class Label:
    def __init__(self, text):
        self.text = text

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return isinstance(other, Label)


@case((3,))
def keys_by_equality(n: int):
    table = {Label("a"): n}
    table[Label("b")] = n + 1
    return len(table), table.get(Label("c"))


class Bag:
    """Is gone through, and nothing else."""

    def __init__(self):
        self.items = []

    def __iter__(self):
        return iter(self.items)


# Objects that a loop makes: membership and iteration beside others.
@case((3,), (0,))
def bags(n: int):
    made = []
    for i in range(n):
        bag = Bag()
        bag.items.append(i)
        bag.items.append(i * 2)
        made.append(bag)
    found = []
    for bag in made:
        found.append(2 in bag)
        found.append([*enumerate(bag)])
        found.append(list(zip(bag, range(9))))
        found.append(sum(map(abs, bag)))
    return found
