"""`break`, `continue` and early `return`, at any depth, decided by run-time values."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([3.0, 1.0, -2.0, 5.0, -4.0])
M = np.array([[1, 2, 3], [4, -5, 6], [7, 8, -9]])


# `break` out of a `for`.
@case((X, 0.0), (X, -9.0), (X, 4.0))
def break_in_a_for_loop(x: f64["n"], limit: float):
    count = 0
    for value in x:
        if value < limit:
            break
        count += 1
    return count


# What was assigned before the `break` stays.
@case((7,), (0,), (100,))
def assignments_before_a_break_stay(n: int):
    total = 0
    for i in range(20):
        total += i
        if total > n:
            reached = True
            break
        reached = False
    return total, i, reached


# `continue` skips the rest of the body.
@case((X,))
def continue_in_a_for_loop(x: f64["n"]):
    total = np.float64(0.0)
    for value in x:
        if value < 0.0:
            continue
        total += value
    return total


# `break` and `continue` in one loop.
@case((20,), (5,), (0,))
def break_and_continue(n: int):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        if i > 10:
            break
        total += i
    return total


# Return out of a `for`: the index of the first negative element.
@case((X,), (np.abs(X),), (np.array([], dtype=float),))
def return_in_a_for_loop(x: f64["n"]):
    for i, value in enumerate(x):
        if value < 0.0:
            return i
    return -1


# Return out of two loops at once.
@case((M, 6), (M, 99), (M, 1))
def return_out_of_two_loops(m: i64["m", "n"], wanted: int):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] == wanted:
                return i, j
    return -1, -1


# `break` leaves the inner loop only.
@case((M,))
def break_leaves_the_inner_loop_only(m: i64["m", "n"]):
    total = np.int64(0)
    for row in m:
        for value in row:
            if value < 0:
                break
            total += value
        total *= 2
    return total


# `continue` goes on with the innermost loop.
@case((5,), (0,))
def continue_in_the_inner_loop(n: int):
    total = 0
    for i in range(n):
        for j in range(n):
            if (i + j) % 3 == 0:
                continue
            total += i * 10 + j
        total += 1
    return total


# A flag takes the `break` through the outer loop.
@case((50,), (3,), (1000,))
def break_out_of_two_loops(limit: int):
    total = 0
    done = False
    for i in range(10):
        for j in range(10):
            total += i * j
            if total > limit:
                done = True
                break
        if done:
            break
    return total, i, j


# `break` in a `while` inside a `for`.
@case((30,), (1,))
def break_in_a_while_in_a_for(n: int):
    total = 0
    for start in range(1, n, 7):
        k = start
        while True:
            k = k * 2 + 1
            if k > n:
                break
            total += k
    return total


# `break` in an `elif`, `return` in the `else`.
@case((4,), (9,), (-1,), (15,))
def exits_of_every_kind(n: int):
    total = 0
    for i in range(10):
        if i == n:
            break
        elif i + n == 8:
            continue
        elif total > 40:
            return -total
        total += i
    return total


# Statements after an `if` that breaks belong to its other side.
@case((6,), (2,), (0,))
def statements_after_a_break(n: int):
    total = 0
    for i in range(n):
        if i == 4:
            total += 100
            break
        total += i
        if total > 2:
            total *= 2
        total += 1
    return total


# A return value that depends on the loop variable and the carried state.
@case((10.0,), (1e6,), (0.0,))
def return_of_carried_state(limit: float):
    x = 1.0
    for i in range(12):
        x = x * 2.5
        if x > limit:
            return x, i
    return -x, 12


# An array comes out of an early return.
@case((X, 2.0), (X, 100.0))
def early_return_of_an_array(x: f64["n"], limit: float):
    for i in range(6):
        x = x * 2.0
        if np.max(x) > limit * 4.0:
            return x + i
    return x


# `while` with `continue` and `break` and a condition.
@case((27,), (6,), (1,))
def while_with_both(n: int):
    steps = 0
    while n > 1:
        steps += 1
        if n % 2 == 0:
            n //= 2
            continue
        n = 3 * n + 1
        if n > 1000:
            break
    return n, steps


# A loop that always leaves in its first trip.
@case((3,), (0,))
def loop_that_always_returns(n: int):
    for i in range(n):
        return i + 100
    return -1


@case((3,), (0,))
def loop_that_always_breaks(n: int):
    seen = -1
    for i in range(n):
        seen = i
        break
    return seen


# `break` in an unrolled loop over a tuple.
@case((2,), (9,), (5,))
def break_in_a_loop_over_a_tuple(n: int):
    total = 0
    for item in (1, 5, 2, 7):
        if item == n:
            break
        total += item
    return total


# `continue` and `return` in an unrolled loop.
@case((3,), (7,), (100,))
def exits_in_a_loop_over_a_tuple(n: int):
    total = 0
    for item in (4, 7, 1, 9):
        if item < n % 5:
            continue
        total += item
        if total > n:
            return total
    return -total


# Three loops deep.
@case((7,), (20,), (500,))
def pythagorean_triple(limit: int):
    for a in range(1, limit):
        for b in range(a, limit):
            for c in range(b, limit):
                if c > 30:
                    break
                if a * a + b * b == c * c:
                    return a, b, c
    return 0, 0, 0


# Early return in a function that is called inside a loop.
def first_divisor(n):
    for d in range(2, n):
        if n % d == 0:
            return d
    return n


@case((12,), (3,))
def early_return_in_a_called_function(n: int):
    total = 0
    for k in range(2, n):
        total = total * 3 + first_divisor(k)
    return total


# A bare `return` and a function without return give None.
@case((1,), (0,))
def bare_return(n: int):
    if n > 0:
        return
    return


# An error behind an exit is not reached.
@case((0,), (1,))
def exit_before_an_error(n: int):
    total = 10
    for i in range(3):
        if i == n:
            break
        total = total // (1 - i)
    return total
