"""`else` on loops, targets of loops, loops in loops, `del` and walrus in loops."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([3.0, 1.0, -2.0, 5.0])
M = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, -6.0]])


# `for … else`: the else runs where no `break` did.
@case((12,), (13,), (2,), (1,))
def is_prime(n: int):
    for d in range(2, n):
        if n % d == 0:
            result = False
            break
    else:
        result = n > 1
    return result


# The else of a `for` of no trips runs.
@case((0,), (3,))
def else_without_trips(n: int):
    for i in range(n):
        last = i
    else:
        last = -1
    return last


# `while … else`: the else runs where the condition turned false.
@case((5, 100), (5, 3), (0, 3))
def while_with_else(n: int, limit: int):
    total = 0
    while n > 0:
        total += n
        if total > limit:
            break
        n -= 1
    else:
        total = -total
    return total, n


# `while True` never runs its else but for the condition.
@case((7,), (0,))
def while_true_with_else(n: int):
    steps = 0
    while True:
        if steps >= n:
            break
        steps += 2
    else:
        steps = 1000
    return steps


# An else of an outer loop, a `break` in the inner one only.
@case((X, 5.0), (X, 9.0))
def else_of_the_outer_loop(x: f64["n"], wanted: float):
    found = 0
    for _ in range(2):
        for value in x:
            if value == wanted:
                found += 1
                break
        else:
            found -= 10
    else:
        found += 100
    return found


# `continue` doesn't keep the else from running.
@case((6,), (0,))
def continue_and_else(n: int):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        total += i
    else:
        total += 1000
    return total


# An early return in the else.
@case((X, 5.0), (X, 0.25))
def return_in_the_else(x: f64["n"], wanted: float):
    for i, value in enumerate(x):
        if value == wanted:
            break
    else:
        return -1
    return i


# A `break` in an inner else leaves the outer loop.
@case((30,), (4,))
def break_in_an_inner_else(limit: int):
    primes = 0
    n = 2
    while n < limit:
        for d in range(2, n):
            if n % d == 0:
                break
        else:
            primes += 1
            if primes == 5:
                break
        n += 1
    else:
        primes = -primes
    return primes, n


# An else after a loop over a tuple.
@case((5,), (7,))
def else_of_a_loop_over_a_tuple(n: int):
    for item in (1, 5, 9):
        if item == n:
            where = item * 10
            break
    else:
        where = n
    return where


# An error in the else comes out.
@case((3, 0), (3, 1))
def error_in_the_else(n: int, divisor: int):
    for _ in range(n):
        n += 1
    else:
        n = n // divisor
    return n


# The loop variable may be written inside; the loop goes on as it would have.
@case((4,), (0,))
def loop_variable_is_written(n: int):
    total = 0
    for i in range(n):
        i = i * 10
        total += i
    return total


# The bound is evaluated once.
@case((4,), (0,))
def bound_is_evaluated_once(n: int):
    total = 0
    for i in range(n):
        n += 2
        total += i
    return total, n


# The target of a loop is a nested tuple.
@case((X,), (X[:0],))
def nested_target(x: f64["n"]):
    total = np.float64(0.0)
    for i, (value, (square, shifted)) in enumerate(zip(x, zip(x * x, x + 1.0))):
        total += i * value + square - shifted
    return total


# A starred target of a loop over static rows.
@case((1, 2, 3))
def starred_target(a: int, b: int, c: int):
    total = 0
    for first, *rest in ((a, b, c), (c, a), (b,)):
        total = total * 10 + first + len(rest)
        for item in rest:
            total += item * 100
    return total


# Rows are unpacked by the target.
@case((M,))
def rows_as_pairs(m: f64["m", 2]):
    total = np.float64(0.0)
    for a, b in m:
        total += a * b
    return total


# Loop variables of nested loops after the loops.
@case((3, 2), (3, 0), (0, 2))
def variables_of_nested_loops(n: int, m: int):
    i = j = -1
    for i in range(n):
        for j in range(m):
            pass
    return i, j


# A walrus in the condition of a `while`.
@case((100,), (1,), (0,))
def walrus_in_a_while(n: int):
    steps = 0
    while (half := n // 2) > 3:
        n = half + 1
        steps += 1
    return n, half, steps


# A walrus in the range and in the body.
@case((6,), (0,))
def walrus_in_a_for(n: int):
    total = 0
    for i in range(bound := n + 1):
        if (square := i * i) > 10:
            total += square
    return total, bound, square


# `del` of a variable in each round.
@case((4,), (0,))
def del_in_a_loop(n: int):
    total = 0
    for i in range(n):
        square = i * i
        total += square
        del square
    return total


# What a `del` in a loop leaves unbound.
@case((0,), (1,))
def read_after_del_in_a_loop(n: int):
    value = 5
    for _ in range(n):
        del value
    return value


# `del` twice is an error at the second round.
@case((1,), (2,))
def del_twice(n: int):
    value = 5
    for _ in range(n):
        del value
    return n


# `pass` and `...` in loops.
@case((3,), (0,))
def empty_bodies(n: int):
    for i in range(n):
        pass
    while n > 10:
        ...
    return n


# A loop over reversed ranges with run-time bounds.
@case((2, 9), (9, 2), (3, 3))
def reversed_range(a: int, b: int):
    digits = 0
    for i in reversed(range(a, b)):
        digits = digits * 10 + i
    for i in reversed(range(a, b, 3)):
        digits = digits * 10 + i
    return digits


# A step known at run time only; a step of zero is an error.
@case((0, 10, 3), (10, 0, -4), (0, 10, -1), (1, 5, 0))
def step_at_run_time(start: int, stop: int, step: int):
    total = 0
    for i in range(start, stop, step):
        total = total * 3 + i
    return total


# Two loops share the loop variable.
@case((3, 2), (0, 0), (3, 0))
def loop_variable_shared(n: int, m: int):
    i = 100
    for i in range(n):
        pass
    first = i
    for i in range(m):
        pass
    return first, i


# A loop condition of several parts is evaluated up to the first that is false.
@case((X, 4), (X, 9), (X[:0], 1))
def condition_stops_at_the_first_false(x: f64["n"], limit: int):
    i = 0
    while i < limit and i < len(x) and x[i] > -1.0:
        i += 1
    return i


# A counter that runs down in a chained comparison.
@case((9,), (3,), (-1,))
def chained_condition(n: int):
    steps = 0
    while 0 < n - steps <= 9:
        steps += 2
    return steps


# A loop in a loop in a loop with all kinds of exits and an else.
@case((10,), (3,), (0,))
def exits_on_three_levels(n: int):
    count = 0
    for a in range(n):
        b = a
        while b < n:
            for c in range(b, n):
                if (a + b + c) % 7 == 5:
                    break
                if c % 4 == 3:
                    continue
                count += 1
            else:
                count += 100
                if count > 500:
                    return -count, a, b
            b += 2
        else:
            count += 1000
    return count


# An int loop over the elements of an integer array.
@case((np.array([1, -2, 300]),), (np.array([], dtype=int),))
def loop_over_integers(x: i64["n"]):
    total = 0
    for value in x:
        total = total * 2 + int(value)
    else:
        total += 1
    return total


# enumerate with a start; zip of three; zip of a range and an array.
@case((X, 5), (X[:0], 5))
def enumerate_and_zip(x: f64["n"], start: int):
    total = np.float64(0.0)
    for i, value in enumerate(x, start):
        total += i * value
    for i, value, other in zip(range(start), x, x[::-1]):
        total += i * value * other
    return total


# A loop over the characters of a text.
@case((2,))
def loop_over_a_text(n: int):
    total = 0
    for letter in "abca":
        total = total * n + (1 if letter == "a" else 0)
    return total


# A loop over the keys of a dict, its values, its items.
@case((2, 3))
def loop_over_a_dict(a: int, b: int):
    table = {"x": a, "y": b}
    total = 0
    for key in table:
        total = total * 10 + table[key]
    for value in table.values():
        total = total * 10 + value
    for key, value in table.items():
        total += len(key) * value
    return total


# A loop over a set of compile-time values, where the order doesn't matter.
@case((2,), (-2,))
def loop_over_a_set(n: int):
    total = 0
    for item in {3, 5, 7}:
        total += item * n
    return total


# A `while` whose condition calls a function.
def below(value, limit):
    return value * value < limit


@case((50,), (0,))
def condition_calls_a_function(limit: int):
    n = 0
    while below(n, limit):
        n += 1
    return n


# A `while` with a condition that is not a bool.
@case((5,), (0,), (-2,))
def condition_is_an_int(n: int):
    total = 0
    while n:
        total += n
        n -= 1 if n > 0 else -1
    return total
