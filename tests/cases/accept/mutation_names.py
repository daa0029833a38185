"""Augmented assignment to names: in place for arrays and lists, a new value for numbers."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
Y = np.array([3.0, 4.0, 5.0])
K = np.array([4, 1, 3])
M = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


# `+=` on an array writes into it.
@case((X, Y))
def adds_in_place(x: f64["n"], y: f64["n"]):
    x += y
    return x


# ... and every other name sees it.
@case((X,))
def aliases_see_it(x: f64["n"]):
    y = x
    y += 1.0
    return x, y


# `x = x + 1` makes a new array.
@case((X,))
def rebinding_does_not(x: f64["n"]):
    y = x
    y = y + 1.0
    return x, y


# Every operator that writes in place.
@case((X, Y))
def all_operators_in_place(x: f64["n"], y: f64["n"]):
    x += y
    x -= 1.0
    x *= y
    x /= 2.0
    x //= 0.5
    x %= 7.0
    x **= 2.0
    return x


# The bit operators on ints.
@case((K,))
def bit_operators_in_place(k: i64["n"]):
    k <<= 2
    k |= 1
    k ^= 3
    k &= 30
    k >>= 1
    return k


# Matrix product in place keeps the array.
@case((M, np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])))
def matmul_in_place(m: f64["m", "n"], w: f64["n", "n"]):
    other = m
    m @= w
    return other


# A number in a name is rebound.
@case((3, 1.5))
def numbers_are_rebound(n: int, x: float):
    m = n
    y = x
    n += 1
    x *= 2.0
    return n, m, x, y


# A NumPy scalar is rebound.
@case((X,))
def scalars_are_rebound(x: f64["n"]):
    a = x[0]
    b = a
    a += 1.0
    return a, b, x


# The right side is broadcast; the left is not: ValueError.
@case((M, X), (X, M), (X, np.array([1.0])))
def broadcasts_one_way(x, y):
    x += y
    return x


# The array may stand on both sides.
@case((X,))
def array_on_both_sides(x: f64["n"]):
    x += x
    x *= x
    x -= x[0]
    return x


# ... reversed: NumPy copies where the sides overlap.
@case((X,), (np.arange(6.0),))
def reversed_on_the_right(x: f64["n"]):
    x += x[::-1]
    return x, x[0]


# A slice on the left, an overlapping one on the right.
@case((np.arange(6.0),))
def overlapping_slices(x: f64["n"]):
    x[1:] += x[:-1]
    return x


# A loop that accumulates in place.
@case((X, 4), (X, 0))
def accumulates_in_a_loop(x: f64["n"], n: int):
    total = np.zeros(3)
    first = total
    for i in range(n):
        total += x * i
    return first, total is first


# An accumulator that starts as a number becomes an array.
@case((X, 3), (X, 1))
def number_becomes_an_array(x: f64["n"], n: int):
    total = 0.0
    for i in range(n):
        total += x * (i + 1)
    return total


# An accumulator that starts as the first row is that row.
@case((M, 3), (M, 0))
def accumulator_is_an_alias(m: f64["m", "n"], steps: int):
    total = m[0]
    for _ in range(steps):
        total += m[1]
    return total, m


# In place in a branch, rebound in the other.
@case((X, True), (X, False))
def in_place_in_one_branch(x: f64["n"], flag: bool):
    y = x
    if flag:
        y += 10.0
    else:
        y = y + 10.0
    return x, y


# A function that is called writes its argument.
def shift(values, by):
    values += by


@case((X, 2.0))
def a_helper_writes(x: f64["n"], by: float):
    shift(x, by)
    shift(x[1:], by)
    return x


# A helper that gets a copy writes the copy.
@case((X, 2.0))
def a_helper_writes_a_copy(x: f64["n"], by: float):
    y = x.copy()
    shift(y, by)
    shift(x + 0.0, by)
    return x, y


# A helper that rebinds its parameter does not write.
def rebinds(values):
    values = values + 1.0
    values += 1.0
    return values


@case((X,))
def a_helper_rebinds(x: f64["n"]):
    return rebinds(x), x


# A number that is given to a helper does not change.
@case((5,))
def a_helper_gets_a_number(n: int):
    shift(n, 3)
    return n


# Single precision stays single precision in place.
@case((np.array([1.0, 2.0], dtype=np.float32), 0.1))
def keeps_single_precision(x: f32["n"], value: float):
    x += value
    x *= 3
    return x


# A double array is cast down into a single one.
@case((np.array([1.0, 2.0], dtype=np.float32), np.array([0.1, 0.2])))
def casts_down_in_place(x: f32["n"], y: f64["n"]):
    x += y
    return x


# Ints into floats in place.
@case((X, K))
def ints_into_floats(x: f64["n"], k: i64["n"]):
    x += k
    x /= k
    return x


# A bool array takes logical operators in place.
@case((X, Y))
def masks_in_place(x: f64["n"], y: f64["n"]):
    mask = x > 0
    other = mask
    mask &= y < 5
    mask |= x < -0.5
    mask ^= True
    return mask, other is mask


# A list takes `+=` in place, a tuple does not.
@case((1, 2))
def lists_and_tuples(a: int, b: int):
    items, pair = [a], (a,)
    same, kept = items, pair
    items += [b]
    pair += (b,)
    return items, same, pair, kept


# Closures see the array that changes.
@case((X,))
def a_closure_sees_it(x: f64["n"]):
    total = np.zeros(3)

    def add(values):
        nonlocal total
        total += values

    first = total
    add(x)
    add(x * 2.0)
    return first, total


# A name that is deleted leaves the array to its other name.
@case((X,))
def deleted_names(x: f64["n"]):
    y = x
    del x
    y *= 3.0
    return y


# An array of no dimensions is written in place, its scalar is not.
@case((np.array(2.0),))
def of_no_dimensions(a: f64[()]):
    b = a
    s = a[()]
    a += 1.0
    s += 5.0
    return a, b, s


# The walk of a vector: position and velocity are one memory each.
@case((X, Y, 5), (X, Y, 0))
def walks(x: f64["n"], v: f64["n"], steps: int):
    for _ in range(steps):
        v *= 0.9
        v -= 0.1 * x
        x += 0.1 * v
    return (x**2).sum() + (v**2).sum()
