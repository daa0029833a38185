"""``*items`` in calls, where only the running program knows how many items there are."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case


# They are the whole of ``*args``, a tuple of its own.
@case((3,), (0,))
def all_of_the_arguments(n: int):
    def total(*numbers):
        return sum(numbers), len(numbers), numbers[1:], numbers[-1] if numbers else None

    items = [i for i in range(n)]
    found = total(*items)
    items.append(5)
    return found, items, total(9, *items)


# Parameters, those with defaults too, take the first ones.
@case((5,), (3,), (1,), (0,))
def some_for_the_parameters(n: int):
    def scaled(a, b=10, *rest, scale=1, **named):
        return a, b, [item * scale for item in rest], named

    items = [i for i in range(n)]
    return scaled(*items), scaled(7, *items, scale=2, x=n)


# More arguments, and more lists, behind them.
@case((2,), (1,), (0,))
def not_the_last(n: int):
    def triple(a, b, c):
        return a * 100 + b * 10 + c

    def count(*items):
        return len(items), items

    items = [i for i in range(n)]
    return count(*items, 7), count(*items, *items, 0.5), triple(*items, 1)


# ``print`` writes them as it does any others.
@case((3,), (1,), (0,))
def printed(n: int):
    items = [i * 0.5 for i in range(n)]
    print(*items)
    print("a", *items, n, sep=", ", end="!\n")
    print(n, *items, sep="")


# ``min`` and ``max`` of one number take it for an iterable.
@case((3,), (1,), (0,))
def extremes(n: int):
    items = [(i * 7) % 5 for i in range(n)]
    return max(2, *items), min(*items, -1, 0), max(*items)


class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __mul__(self, other):
        made = [0] * (len(self.coefficients) + len(other.coefficients) - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                made[i + j] += a * b
        return Polynomial(*made)

    def derivative(self):
        return Polynomial(*[i * a for i, a in enumerate(self.coefficients)][1:])


# Objects are made of them.
@case((3, 2), (0, 0.5))
def polynomials(n, x):
    power = Polynomial(1, 1)
    for _ in range(n):
        power = power * Polynomial(1, x)
    return power.coefficients, power.derivative().coefficients


# A wrapper hands them on.
@case((3,), (0,))
def handed_on(n: int):
    def counted(function):
        def inner(*args, **kwargs):
            return len(args), function(*args, **kwargs)

        return inner

    @counted
    def last(*args, default=None):
        return args[-1] if args else default

    return last(*[i * i for i in range(n)], default=n)


# Arrays are items, too.
@case((np.arange(6.0).reshape(3, 2),), (np.zeros((2, 2)),))
def rows(x):
    def total(*rows):
        return sum(row.sum() for row in rows), len(rows)

    kept = []
    for row in x:
        if row.sum() > 1:
            kept.append(row * 2)
    return total(*kept)


# Generators that call themselves, in loops that are tried as loops first.
@case(([1, 2, 3],), ([0.5],), ([],))
def permutations(items):
    def arranged(order, k):
        if k == len(order):
            yield tuple(order)
        for i in range(k, len(order)):
            order[k], order[i] = order[i], order[k]
            yield from arranged(order, k + 1)
            order[k], order[i] = order[i], order[k]

    return list(arranged(list(items), 0))
