"""Loops that end in several ways: `else`, flags, exits of nested loops, searches."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

M = np.array([[1, 2, 3], [4, 5, 6]])


# The first pair with a product, out of two loops by `else: continue; break`.
@case((M, M, 12), (M, M, 7), (M, M, 1))
def out_of_two_loops(a: i64["m", "n"], b: i64["m", "n"], product: int):
    for x in a.ravel():
        for y in b.ravel():
            if x * y == product:
                break
        else:
            continue
        break
    else:
        return None
    return x, y


# ... by a flag.
@case((M, 5), (M, 0))
def out_by_a_flag(a: i64["m", "n"], wanted: int):
    found = False
    steps = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            steps += 1
            if a[i, j] == wanted:
                found = True
                break
        if found:
            break
    return found, i, j, steps


# ... by a nested function that returns.
@case((M, 6), (M, -1))
def out_by_a_function(a: i64["m", "n"], wanted: int):
    def place():
        for i, row in enumerate(a):
            for j, value in enumerate(row):
                if value == wanted:
                    return i, j
        return None

    found = place()
    return found is not None, found


# `while … else` in a `for … else`.
@case((3, 4), (5, 2), (0, 9), (2, 0))
def else_in_else(n: int, limit: int):
    log = []
    for i in range(n):
        k = i
        while k < limit:
            if k * i == 6:
                log.append("six")
                break
            k += 1
        else:
            log.append("none")
            if i == 3:
                break
    else:
        log.append("all")
    return log


# The else reads what the loop left.
@case((np.array([1.0, -2.0, 3.0]),), (np.array([1.0]),), (np.zeros(0),))
def else_reads_the_loop(x: f64["n"]):
    total = 0.0
    for value in x:
        if value < 0:
            sign = -1
            break
        total += value
    else:
        sign = 1
        total = -total
    return sign * total


# `continue` in a `while` with a condition that has a value.
@case((10,), (1,), (0,))
def continues_with_a_walrus(n: int):
    odd = 0
    while (n := n - 1) > 0:
        if n % 2 == 0:
            continue
        odd += n
    else:  # noqa: PLW0120
        odd = -odd
    return odd, n


# `break` in the else of an inner loop leaves the outer one.
@case((6,), (1,))
def break_in_the_else(n: int):
    for size in range(1, n):
        for k in range(size):
            if k * k > 8:
                break
        else:
            if size == 3:
                break
    else:
        size = -1
    return size


# A `return` in the else, after an effect.
@case((3, 9), (3, 1))
def return_in_the_else(n: int, stop: int):
    x = np.zeros(n)
    for i in range(n):
        if i == stop:
            break
        x[i] = i + 1
    else:
        return x * 2
    return x


# An error in the body, its handler outside of the loop.
@case((np.array([2, 1, 0, 4]),), (np.array([1, 2]),))
def error_leaves_the_loop(divisors: i64["n"]):
    done = []
    try:
        for d in divisors:
            done.append(10 // int(d))  # noqa: PERF401
        else:  # noqa: PLW0120
            done.append(-1)
    except ZeroDivisionError:
        done.append(-2)
    return done


# `finally` with `continue` and `break`.
@case((5,), (2,), (0,))
def exits_through_finally(n: int):
    count = 0
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 3:
                break
        finally:
            count += 10
        count += 1
    else:
        count += 1000
    return count


# Fixed point by `while True`, with a bound and a value for each end.
@case((2.0, 50), (2.0, 2), (0.0, 50))
def two_ends(x: float, limit: int):
    guess, steps = 1.0, 0
    while True:
        better = 0.5 * (guess + x / guess)
        steps += 1
        if abs(better - guess) < 1e-10:
            status = "converged"
            break
        if steps >= limit:
            status = "gave up"
            break
        guess = better
    return status, guess, steps


# A loop over a constant tuple that is left at run time.
@case((3,), (100,))
def constant_items_left_early(n: int):
    for name, size in (("small", 5), ("medium", 50), ("large", 500)):  # noqa: B007
        if n <= size:
            break
    else:
        name = "huge"
    return name, size


# Loops whose bodies never run to their end.
@case((3,), (0,))
def bodies_that_always_leave(n: int):
    for i in range(n):
        first = i
        break
    else:
        first = "none"
    while n > 0:
        return first, n
    return first
