"""Functions taken from classes and from tables: ``str.upper``, ``{"+": add}[key]``."""

from __future__ import annotations

import enum
import math
import operator

import numpy as np

from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0])
UPPER = str.upper


class Color(enum.Enum):
    """See the cases."""

    RED = 1
    GREEN = 2


class Account:
    """See the cases."""

    def __init__(self, value):
        self.value = value

    def add(self, x):
        self.value += x
        return self.value


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


TABLE = {0: add, 1: sub}
OPERATORS = {"+": operator.add, "-": operator.sub, "max": np.maximum}


# Methods of strings, taken from their class, as functions and as values.
@case(("abc", ["b", "A"]), ("", []))
def methods_of_str(s: str, words: list):
    return (
        str.upper(s), list(map(str.lower, words)), sorted(words, key=str.lower), UPPER(s),
        str.join("-", words), str.split("a b"), [f(s) for f in (str.title, str.strip)],
        str.replace(s, "a", "b"), str.upper is str.upper, callable(str.upper),
    )  # fmt: skip


# ... of lists, dicts and numbers.
@case((3, 2.5), (0, -2.0))
def methods_of_containers_and_numbers(n: int, x: float):
    items, table = [n], {"b": n}
    list.append(items, 2)
    list.extend(items, [3])
    dict.update(table, a=1)
    return (
        items, table, dict.get(table, "a"), list.pop(items), int.bit_length(n),
        float.is_integer(x), tuple.index((1, 2), 2), max(table, key=table.get),
    )  # fmt: skip


# ... and of arrays, which write to the caller's.
@case((X,), (np.arange(6).reshape(2, 3),))
def methods_of_ndarray(x):
    np.ndarray.sort(x)
    total = np.ndarray.sum(x), np.ndarray.max(x, axis=0), np.ndarray.reshape(x, -1)
    np.ndarray.fill(x, 2)
    return total, list(map(np.ndarray.copy, [x, x]))


# One of two methods, by a number of the running program.
@case((1,), (0,))
def one_of_two_methods(n: int):
    f = str.upper if n else str.lower
    return f("Ab")


# A table of functions, asked by a number and by a text.
@case((3,), (4,), (5,))
def table_by_number(n: int):
    try:
        return TABLE[n - 3](X, 1), {0: math.sin, 1: math.cos}[n % 2](n)
    except KeyError as error:
        return error.args


@case(("ab+", 1), ("b", 2.5), ("", 0))
def table_by_text(text: str, start):
    total = start
    for c in text:
        key = "+" if c == "a" else "-" if c == "b" else "max"
        if key in OPERATORS:
            total = OPERATORS[key](total, 2)
    return total


# A program in an array, run in a loop.
@case((np.array([0, 1, 1, 0]),), (np.array([], int),), (np.array([0, 7]),))
def program_of_numbers(code):
    total = 1
    for op in code:
        total = TABLE[op](total, 3)
    return total


# A table of objects, one of which is written to; of members and of classes.
@case((3,), (1,), (0,))
def table_of_objects(n: int):
    accounts = {1: Account(1), 2: Account(10)}
    for i in range(n):
        accounts[i % 2 + 1].add(i)
    kind = {0: Color.RED, 1: Color.GREEN}[n % 2]
    return accounts[1].value, accounts[2].value, kind.name, {0: int, 1: float}[n % 2](2.5)


# What a tuple holds may have no hash.
@case((1,), (2,))
def keys_without_hash(n: int):
    found = []
    for key in ((1, [2]), ((1,), {}), ([],)):
        try:
            found.append({key: 1}[key])
        except TypeError as error:
            found.append(str(error))
    try:
        return found, (n, [n]) in {1: 2}
    except TypeError as error:
        return found, str(error)
