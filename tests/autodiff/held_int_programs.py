"""Programs whose lists, dicts and objects hold ints, none of them 0, before and beside the numbers
and arrays that are differentiated: an int is no tangent of itself. As those of ``held_programs``.
"""

# ruff: noqa: PERF401, PERF402, PLC0206 - lists that grow, and keys looked up again, are tried

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.autodiff.held_programs import differentiable
from tests.autodiff.programs import X


@differentiable((0.7, 6))
def an_int_to_begin_with(x, n):
    terms = [0] * n
    terms[0] = 1
    terms[1] = x
    for i in range(2, n):
        terms[i] = terms[i - 1] + terms[i - 2] * x
    return terms[-1]


@differentiable((0.7, 3))
def ints_that_are_read_before(x, n):
    factors = [2 for _ in range(n)]
    total = 0.0
    for i in range(n):
        total += factors[i] * x
        factors[i] = x
    for i in range(n):
        total += factors[i] * x
    return total


@differentiable((0.7, 3))
def ints_under_two_names(x, n):
    factors = [1] * n
    same = factors
    factors[0] = x
    same[1] = 2
    same[2] = x * 3
    factors[0] = 4
    return factors[0] * x + same[1] * x + factors[2] * x


@differentiable((0.7, 3))
def pairs_of_ints(x, n):
    pairs = [(1, 2)] * n
    pairs[0] = (x, x * x)
    pairs.append((3, x))
    total = 0.0
    for a, b in pairs:
        total += a * b * x
    return total


@differentiable((0.7, 4))
def ints_and_none(x, n):
    found = [None] * n
    found[1] = 3
    found[2] = x
    total = 0.0
    for each in found:
        if each is not None:
            total += each * x
    return total


@differentiable((0.7, 3))
def rows_of_ints(x, n):
    rows = [[1] * n for _ in range(n)]
    rows[0][1] = x
    total = 0.0
    for row in rows:
        for each in row:
            total += each * x
    return total


@differentiable((0.7, 3))
def one_row_of_ints_in_all_places(x, n):
    rows = [[1] * n] * n
    for i in range(n):
        rows[0][i] = rows[1][i] * x
    return rows[1][1] * x * rows[2][0]


@differentiable((0.7, 3))
def bools_and_ints_that_are_appended_to(x, n):
    flags, numbers = [True] * n, []
    for i in range(n):
        numbers.append(i)
    flags[1] = x
    numbers.append(x)
    total = 0.0
    for each in numbers:
        total += each * x
    for each in flags:
        total += each * x
    return total


@differentiable((0.7, 3))
def lists_of_ints_that_are_put_in(x, n):
    numbers = [3] * n
    numbers.extend([x] * 2)
    numbers.extend([4] * n)
    numbers[1:2] = [x, 5]
    numbers += [x]
    first, last = numbers.pop(0), numbers.pop()
    total = first * last * x + max(numbers) * x + sum(numbers) * x
    for each in numbers:
        total += each * x
    return total


@differentiable((X, 3))
def arrays_of_ints(x, n):
    weights = [np.arange(len(x))] * n
    weights[1] = x
    total = 0.0
    for each in weights:
        total = total + each * x
    return np.sum(total)


@differentiable((0.7, 3))
def ints_by_key(x, n):
    numbers = {i: i + 1 for i in range(n)}
    more = {"a": x}
    more.update({"b": 2})
    total = more["a"] * x + more["b"] * x
    for i in range(n):
        total += numbers[i] * x
        numbers[(i + 1) % n] = numbers[i] * x
    return total


@differentiable((0.7,), (np.float64(0.7),))
def keys_that_are_ints(x):
    numbers = {1: 2, 2: 3}
    numbers[x] = 4
    numbers[1] = x
    total = 0.0
    for key, value in numbers.items():
        total += key * value * x
    return total


@differentiable((0.7,))
def keys_that_are_ints_of_floats(x):
    numbers = {1: x, 2: 3.0}
    numbers[x] = x * 2
    total = 0.0
    for key in numbers:
        total += key * numbers[key] * x
    return total


@dataclass
class Item:
    value: Any = 2
    other: Any = None


@differentiable((0.7, 3))
def attributes_that_are_ints(x, n):
    items = [Item() for _ in range(n)]
    total = 0.0
    for i in range(2 * n):
        item = items[i % n]
        total += item.value * x
        if item.other is not None:
            total += item.other * x
        item.value = item.value * x
        item.other = 3 if i % 2 else x
    return total


@differentiable((X, 4, 0), (X, 4, 2), (0.7, 3, 3))
def an_array_of_ints_or_floats(x, n, k):
    terms = [3] * n
    for i in range(k):
        terms[i] = np.sum(x) * i
        terms[i] += 1
    return np.sum(np.array(terms) * x) + np.prod(np.asarray(terms, dtype=float)) * np.sum(x)


@differentiable((X[:2], 3, 0), (X[:2], 3, 3))
def operations_on_ints_or_floats(x, n, k):
    terms = [2] * n
    for i in range(k):
        terms[i] = x[i % 2] * x[0]
    y = np.array(terms)
    z = y * y / (y + 3) - y[0] + np.sqrt(y * y + 1.5)
    return np.sum(z**2 * np.sum(x)) + np.max(y[1:] * x[1]) + y @ (y * x[0])


@differentiable((np.array([0.7, 1.3, -0.4]), 3))
def floats_of_two_kinds(x, n):
    some, others = [1.0 for _ in range(n)], []
    for _ in range(n):
        others.append(2.0)
    some[1] = x[1] * x[0]
    others[2] = x[2]
    return np.sum(np.array(some) * x) * others[2] + others[1] * x[0]


@differentiable((0.7, 3), (X, 3))
def lists_of_ints_joined(x, n):
    y = np.sum(x)
    joined = [2] * n + [y, y * y] + [3]
    total = 0.0
    for each in joined * 2:
        total += each * y
    return total + joined[-2] * joined[0]


@differentiable((0.7, 3))
def ints_of_numpy(x, n):
    numbers, more = [np.int64(3), None] * n, list(np.arange(n))
    numbers[0] = x
    more[1] = x * x
    total = 0.0
    for each in numbers:
        if each is not None:
            total += each * x
    for each in more:
        total += each * x
    return total


@differentiable((X, 4))
def ints_numbers_and_arrays(x, n):
    items = [1] * n
    for i in range(n):
        if i % 2:
            items[i] = x
        elif i:
            items[i] = x[0]
    total = 0.0
    for each in items:
        total = total + each * x
    return np.sum(total)
