"""Programs whose dicts have keys that are differentiated and read back. As those of
``held_programs``.
"""

# ruff: noqa: PLC0206 - looking a key up again is what is tried

from __future__ import annotations

import numpy as np

from tests.autodiff.held_programs import differentiable

V = np.array([0.7, 1.3, -0.4, 2.1])


@differentiable((V, 4), (V, 1), (V, 0), (0.7, 3))
def keys_that_are_read(x, n):
    numbers = {}
    for i in range(n):
        numbers[np.sum(x) * i + 0.5] = np.sum(x) ** 2 * i
    total = np.sum(x)
    for key in numbers:
        total = total * 0.5 + key * numbers[key]
    for key, value in reversed(numbers.items()):
        total = total + key * key * value
    return total


@differentiable((V,))
def the_key_that_was_first_stays(x):
    numbers = {x[0]: x[1], x[0] * 1.0: x[2] * x[3], x[1]: 2.0}
    numbers[x[1] * 1.0] = x[3]
    return sum(numbers.keys()) * numbers[x[0]] + sum(k * v for k, v in numbers.items())


@differentiable((V,))
def dicts_that_are_merged(x):
    some, others = {}, {}
    for i in range(len(x)):
        some[x[i]] = x[i] * i
        others[x[i] if i % 2 else x[i] * 2] = x[i] ** 2
    some.update(others)
    total = sum(some.values()) + sum(others.keys()) * len(some)
    for key in sorted(some):
        total = total * 0.5 + key * some[key]
    return total


@differentiable((V,))
def keys_with_defaults(x):
    numbers = {}
    for i in range(len(x)):
        numbers[x[i]] = x[i] * i
    total = numbers.get(x[1], 2.0) * numbers.get(5.0, x[0])
    total = total + numbers.pop(x[2], 1.0) + numbers.pop(7.0, x[3] * 3)
    found, missing = numbers.get(x[1]), numbers.get(9.0)
    if found is not None:
        total = total + found * found
    if missing is not None:
        total = total + missing
    return total + min(numbers) * max(numbers)


@differentiable((V,))
def keys_of_several_parts(x):
    numbers = {}
    for i in range(len(x)):
        numbers[(x[i], i)] = x[i] ** 2
    total = 0.0
    for (key, i), value in numbers.items():
        total = total + key * value * i
    for pair in numbers:
        total = total + pair[0]
    return total


@differentiable((V,))
def lists_and_arrays_by_keys(x):
    lists, arrays, total = {}, {}, 0.0
    for i in range(len(x)):
        lists.setdefault(x[i] if i < 3 else x[0], []).append(x[i])
        arrays[x[i]] = x * i
    for key, items in lists.items():
        total = total + key * sum(items)
    for key, array in arrays.items():
        array[0] = key
        total = total + np.sum(array * array) * key
    return total


@differentiable((V,))
def how_often_a_key_comes(x):
    counts = {}
    for i in range(6):
        key = x[i % 4] ** 2
        counts[key] = counts.get(key, 0) + 1
    return sum(key * count for key, count in counts.items())


@differentiable((V,))
def pairs_that_are_taken_out(x):
    numbers, products, total = {}, {}, 1.0
    for i in range(len(x)):
        numbers[x[i]] = x[i] * i
        products[int(x[i] * 2)] = products.get(int(x[i] * 2), 1.0) * x[i]
    del numbers[x[1]]
    while numbers:
        key, value = numbers.popitem()
        total = total * key + value
    while products:
        number, product = products.popitem()
        total = total * 0.7 + product * number
    return total


@differentiable((V,))
def pairs_of_which_there_may_be_none(x):
    numbers, total = {x[0]: x[1] * x[3]}, x[2]
    for _ in range(3):
        try:
            key, value = numbers.popitem()
            total = total + value * key
        except KeyError:
            total = total * 1.5
    return total


@differentiable((V,))
def keys_in_functions_and_branches(x):
    def made(n):
        numbers = {}
        for i in range(n):
            numbers[abs(x[i])] = x[i] + i if x[i] > 0 else 1.0
        return numbers

    def total(numbers):
        return sum(key * value for key, value in numbers.items())

    numbers = made(3)
    if x[0] > 0.5:
        numbers = dict(numbers)
    else:
        numbers.clear()
    return total(numbers) + total(made(4)) * x[0]
