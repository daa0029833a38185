"""``zip(*rows)`` of rows that the program running makes."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case


# Pairs taken apart; ValueError where there are none.
@case((3,), (0,), (1,))
def pairs_taken_apart(n: int):
    pairs = [(i, i * 0.5) for i in range(n)]
    xs, ys = zip(*pairs)
    return xs, ys, sum(xs), max(ys), len(ys), list(xs)[::-1]


# Too few names.
@case((3,), (0,))
def too_few_names(n: int):
    rows = [(i, i + 1, i + 2) for i in range(n)]
    try:
        a, b = zip(*rows)
    except ValueError as error:
        return str(error)
    return a, b


# The columns one after the other; of no rows none.
@case((3,), (0,), (1,))
def each_column(n: int):
    rows = [(i, str(i)) for i in range(n)]
    found = []
    for column in zip(*rows):
        found.append(len(column))
        print(column)
    return found, list(zip(*rows))


# Lists of any lengths: a matrix turned round.
@case((3, 2), (0, 1), (1, 0), (2, 3))
def turned_round(n: int, m: int):
    rows = [[i * 10 + j for j in range(m)] for i in range(n)]
    columns = [list(column) for column in zip(*rows)]
    sums = [sum(column) for column in zip(*rows)]
    rotated = list(map(list, zip(*rows[::-1])))
    return columns, sums, rotated


# The product of matrices.
@case(([[1, 2], [3, 4]], 3), ([[1, 1], [1, 0]], 50), ([[2]], 0), ([], 2))
def power(matrix, k):
    n = len(matrix)
    result = [[int(i == j) for j in range(n)] for i in range(n)]

    def product(a, b):
        return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]

    while k:
        if k & 1:
            result = product(result, matrix)
        matrix = product(matrix, matrix)
        k >>= 1
    return result


# Rows of an array.
@case((np.arange(6.0).reshape(2, 3),), (np.zeros((0, 2)),), (np.arange(4).reshape(2, 2),))
def columns_of_an_array(x):
    made = zip(*x)
    first = next(made, None)
    return [sum(column) for column in zip(*x)], first is None, [len(column) for column in made]


# Texts.
@case((["abc", "de"],), ([],), (["a"],))
def columns_of_texts(words):
    longer = [word + "!" for word in words]
    longer += longer
    return ["".join(column) for column in zip(*words)], [len(c) for c in zip(*longer)]


# With a name it is gone through once; the rows are those of the call.
@case((3,), (0,))
def gone_through_once(n: int):
    rows = [(i, np.arange(i)) for i in range(n)]
    made = zip(*rows)
    rows.append((9, np.zeros(1)))
    first = [len(column) for column in made]
    lists = [[1] * i for i in range(1, n + 1)]
    columns = zip(*lists)
    lists.append([])
    return first, [len(column) for column in made], list(columns)


# The keys and the values of a dict.
@case((3,), (0,), (1,))
def keys_and_values(n: int):
    table = {i: i * i for i in range(n)}
    if not table:
        return None
    keys, values = zip(*table.items())
    xs, ys = map(list, zip(*table.items()))
    return keys, values, dict(zip(values, keys)), xs, ys


class Squares:
    """Has items, and no length."""

    def __init__(self, count):
        self.count = count

    def __getitem__(self, place):
        if place >= self.count:
            raise IndexError(place)
        return place * place


# Rows of pairs with the items of a text that is known.
@case((3,), (0,))
def pairs_with_a_text(n: int):
    made = [Squares(i) for i in range(n)]
    return [list(zip(each, "abc")) for each in made], [sum(each) for each in made]
