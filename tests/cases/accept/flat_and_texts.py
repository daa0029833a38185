"""``x.flat``, ``tolist``, ``item``, numbers as texts, and ``is`` on bools."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])
M = np.arange(6.0).reshape(2, 3)


class Level(IntEnum):
    LOW = 1
    HIGH = 2


# x.flat is read and written whatever the axes are.
@case((M,), (M.T,))
def writes_through_flat(m):
    m.flat[4] = 44.0
    m.flat[:2] = -1.0
    m.flat[[0, 5]] = 7.0
    for i, value in enumerate(m.flat):
        m.flat[i] = value * 2
    return m, m.flat[3], m.flat[1:3], len(m.flat), sum(m.flat), list(m.flat)


# What is stored in x.flat is repeated until it is full.
@case((M, X[:3]), (M, X[:2]))
def fills_flat(m, x):
    m.flat = x
    return m


# The parts of complex numbers are written to.
@case((np.array([1 + 2j, 3 - 1j]),))
def writes_to_parts(z):
    z.imag += 1.0
    z.real *= 2.0
    return z


# tolist() makes lists as deep as the array has axes.
@case((M,))
def lists_of_an_array(m):
    rows = m.tolist()
    rows[0].append(7.0)
    total = 0.0
    for row in rows:
        for value in row:
            total += value
    return rows, total, rows[1][2]


@case((np.array(2.5),), (np.float32(2),), (np.array([], np.float32),), (np.array([True]),))
def list_of_any_box(x):
    return x.tolist()


# item() with indexes of each form.
@case((M, 1), (M, 99))
def items(m, i: int):
    return m.item(i), m.item(1, 2), m.item((0, 1)), m.item(-1)


# Numbers in other bases, and characters.
@case((5,), (-255,), (True,))
def bases(n):
    return bin(n), hex(n), oct(n)


@case((65,), (-1,))
def characters(n: int):
    return chr(n), ord(chr(n))


# Methods of numbers that are known while compiling give compile-time numbers.
@case((5,))
def known_numbers(n: int):
    items = (1, 2, 3, 4)
    return items[(7).bit_length()], (2.5).hex(), (0.75).as_integer_ratio(), (3).numerator, n


@case((2.5,), (math.inf,), (-0.0,))
def methods_of_floats(x: float):
    return x.hex(), x.is_integer(), x.__abs__(), x.as_integer_ratio()


@case((np.int8(5),), (np.uint64(7),))
def methods_of_numpy_ints(x):
    return x.is_integer(), x.bit_count(), x.numerator, x.denominator, x.tolist()


# There is one True and one False; np.True_ is none of them.
@case((2.5, True), (1.0, False))
def bools_are_singletons(x: float, b: bool):
    c = x > 2
    return c is True, c is False, b is not False, c is b, (np.float64(x) > 2) is True


# Members of an IntEnum are numbers to NumPy.
@case((X,))
def members_are_numbers(x):
    y = x
    x += Level.HIGH
    x[Level.LOW] *= Level.HIGH
    return (
        y, np.add(x, Level.LOW), x**Level.HIGH, x[[Level.LOW, Level.HIGH]], np.full(3, Level.LOW),
        x[Level.LOW : Level.HIGH], np.array([Level.LOW, Level.HIGH]), np.zeros(Level.HIGH),
        x.reshape(Level.HIGH, -1), [1] * Level.HIGH, x == Level.LOW,
    )  # fmt: skip


# An array is stretched to another one, never the array that is written to: ValueError.
@case((X[:3], M))
def too_large_to_add(x, m):
    try:
        x += m
    except ValueError:
        return x
    return None


# The other result of a ufunc has the shape of the array that is given.
@case((X, np.zeros((2, 4))), (X[:1], np.zeros(3)))
def one_array_for_two_results(x, out):
    return np.modf(x, out), np.divmod(x, 2, out=(None, out))
