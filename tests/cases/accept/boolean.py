"""Comparisons, chains of them, `and`, `or`, `not`: Python's values and Python's short circuit."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

INF = float("inf")
NAN = float("nan")


# All six comparisons of ints.
@case((1, 2), (2, 1), (3, 3))
def six_comparisons(a: int, b: int):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


# Of NumPy scalars they give a NumPy bool, not a Python one.
@case((np.float64(1.0), np.float64(2.0)), (np.float64(NAN), np.float64(NAN)))
def comparisons_of_numpy_scalars(a: np.float64, b: np.float64):
    return a < b, a == b, a != b


# A chain is the `and` of its links.
@case((1, 2, 3), (1, 3, 2), (3, 2, 1), (2, 2, 2))
def chained_comparison(a: int, b: int, c: int):
    return a < b < c, a <= b <= c, a < b > c, a == b == c


# A chain stops at the first link that is false: the division by zero is not reached.
@case((5, 1, 0), (0, 1, 2), (0, 1, 0))
def chain_stops_early(a: int, b: int, c: int):
    return a < b < 10 // c


# The middle of a chain is evaluated once.
@case((1, 3), (9, 3), (-1, 0))
def middle_of_a_chain_is_evaluated_once(a: int, b: int):
    return a < b * b - b < 2 * b + a


# A chain over NumPy scalars gives a NumPy bool.
@case((np.int64(1), np.int64(2), np.int64(3)), (np.int64(5), np.int64(2), np.int64(3)))
def chain_of_numpy_scalars(a: np.int64, b: np.int64, c: np.int64):
    return a < b <= c


# A chain over arrays asks for the truth of its first link: ValueError for several elements.
@case((np.array([1.0, 2.0]),), (np.array([1.0]),), (np.array([-1.0]),))
def chain_over_an_array(x: f64["n"]):
    return 0.0 < x < 5.0


# `or` gives its first true operand.
@case((0,), (7,), (-1,))
def or_gives_an_operand(n: int):
    return n or 4


# `and` gives its first false operand.
@case((0,), (7,))
def and_gives_an_operand(n: int):
    return n and n + 1


# The same with floats: -0.0 is false and is given back.
@case((-0.0,), (2.5,), (NAN,))
def and_gives_minus_zero(x: float):
    return x and 1.0


@case((0.0, -0.0), (-0.0, 0.0), (0.0, 3.0))
def or_gives_the_last_false_operand(x: float, y: float):
    return x or y


# Longer chains of `and` and `or`.
@case((0, 0, 0), (0, 0, 3), (0, 2, 0), (1, 2, 3))
def long_or(a: int, b: int, c: int):
    return a or b or c


@case((0, 1, 2), (1, 0, 2), (1, 2, 0), (1, 2, 3))
def long_and(a: int, b: int, c: int):
    return a and b and c


# `and` binds tighter than `or`.
@case((0, 1, 2), (1, 0, 0), (1, 2, 0), (0, 0, 0))
def and_binds_tighter(a: int, b: int, c: int):
    return a and b or c, a or b and c


# What the first operand decides keeps the second from being evaluated: no ZeroDivisionError.
@case((0, 6), (3, 6))
def and_protects_a_division(n: int, k: int):
    return n != 0 and k % n == 0


@case((0, 6), (3, 7))
def or_protects_a_division(n: int, k: int):
    return n == 0 or k // n > 1


# ... or from raising IndexError.
@case((np.array([5, 7]), 1), (np.array([5, 7]), 2), (np.array([], dtype=np.int64), 0))
def and_protects_an_index(x: i64["n"], i: int):
    return i < len(x) and bool(x[i] > 6)


# Where it is not protected, it raises.
@case((0, 6), (3, 6))
def order_of_operands_matters(n: int, k: int):
    return k % n == 0 and n != 0


# `not` gives a Python bool, whatever its operand.
@case((0,), (5,))
def not_of_an_int(n: int):
    return not n, not not n


@case((np.float64(0.0),), (np.float64(-0.0),), (np.float64(NAN),))
def not_of_a_numpy_scalar(x: np.float64):
    return not x


# The truth of an array of one element is that of the element; else ValueError.
@case((np.array([0.0]),), (np.array([3.0]),), (np.array([1.0, 2.0]),))
def truth_of_an_array(x: f64["n"]):
    return not x


# De Morgan, with the operands in conditions.
@case((True, True), (True, False), (False, True), (False, False))
def de_morgan(p: bool, q: bool):
    return not (p and q), not p or not q, not (p or q), not p and not q


# Bools are ints.
@case((True, 3), (False, 3))
def bools_are_ints(p: bool, n: int):
    return p + n, p * n, -p, p + p, p == 1, n - p


# `&`, `|`, `^` of bools are bools; of a bool and an int they are ints.
@case((True, False, 6), (True, True, 6))
def bits_of_bools(p: bool, q: bool, n: int):
    return p & q, p | q, p ^ q, p & n, ~(p + 0)


# Comparison of a bool with an int and a float.
@case((True, 1, 1.0), (False, 1, 0.0))
def comparisons_of_mixed_types(p: bool, n: int, x: float):
    return p == n, n == x, p == x, p < n <= x


# `is None` is decided while compiling.
@case((3,), (0,))
def is_none(n: int):
    nothing = None
    return n is None, nothing is None, n is not None


# `in` a tuple of ints.
@case((2,), (5,), (True,))
def membership_in_a_tuple(n):
    return n in (1, 2, 3), n not in (1, 2, 3)


# Comparison of tuples of numbers that are known.
@case((1,), (2,))
def comparison_of_known_tuples(n: int):
    shape = (2, 3)
    return shape == (2, 3), shape < (2, 4), n == 1


# `and` in a condition takes operands of different types.
@case((0, 1.5), (2, 0.0), (2, 1.5))
def condition_over_different_types(n: int, x: float):
    if n and x:
        return 1
    return 0


# Elementwise logic is `&`, `|`, `~` with parentheses.
@case((np.array([-2.0, 0.5, 3.0]),), (np.array([NAN, INF]),))
def elementwise_logic(x: f64["n"]):
    return (x > 0.0) & (x < 1.0), (x < 0.0) | ~(x < 1.0), (x > 0.0) ^ (x > 1.0)
