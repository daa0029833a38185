"""Variables that may have no value: UnboundLocalError exactly where CPython raises it."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.0, 2.0, 3.0])


# Set in one branch only, read after it.
@case((1,), (-1,))
def set_in_one_branch(n: int):
    if n > 0:
        value = n * 2
    return value


# The same condition guards both: no error.
@case((1,), (-1,))
def set_and_read_under_one_condition(n: int):
    positive = n > 0
    if positive:
        value = n * 2
    if positive:
        return value
    return 0


# Read in one branch only.
@case((1, 0), (-1, 0), (1, 1), (-1, 1))
def read_in_one_branch(n: int, wanted: int):
    if n > 0:
        value = n
    result = 7
    if wanted:
        result = value
    return result


# Set in two of three branches.
@case((1,), (0,), (-1,))
def set_in_two_of_three_branches(n: int):
    if n > 0:
        value = 1
    elif n < 0:
        value = -1
    return value


# An array that is bound on one path.
@case((X, 1), (X, 0))
def array_bound_in_one_branch(x: f64["n"], n: int):
    if n:
        y = x * 2.0
    return y + 1.0


# Bound in a later trip than it is read.
@case((2, 0), (2, 5), (0, 0))
def bound_too_late_in_a_loop(n: int, start: int):
    total = 0
    for i in range(n):
        if i > 0:
            total += previous
        if start == 0:
            previous = i + 1
    return total


# Bound only where the loop found something.
@case((X, 2.0), (X, 9.0))
def bound_where_the_loop_found_it(x: f64["n"], wanted: float):
    for i, value in enumerate(x):
        if value == wanted:
            found = i
    return found


# Bound before a `break`.
@case((3,), (30,))
def bound_before_a_break(n: int):
    for i in range(10):
        if i == n:
            where = i
            break
    return where


# Bound in a `while` that may not run.
@case((3,), (0,))
def bound_in_a_while_loop(n: int):
    while n > 0:
        last = n
        n -= 1
    return last + n


# Augmented assignment reads first.
@case((1,), (0,))
def augmented_assignment_of_an_unbound_name(n: int):
    if n:
        total = 5
    total += n
    return total


# The target of a tuple in a loop.
@case((2,), (0,))
def targets_of_a_loop(n: int):
    for i, k in enumerate(range(n)):
        pass
    return i + k


# The early return keeps the unbound path away from the read.
@case((1,), (-1,))
def early_return_guards_the_read(n: int):
    if n < 0:
        return -1
    else:
        value = n
    return value


# The loop variable of an inner loop that never ran.
@case((3, 2), (3, 0), (0, 2))
def inner_loop_variable(n: int, m: int):
    for i in range(n):
        for j in range(m):
            pass
    return i * 10 + j


# The read comes first, whatever is assigned below it.
@case((1,), (0,))
def read_above_the_assignment(n: int):
    for _ in range(n):
        value = n
    if n == 0:
        value = 8
    return value


# What reads a name that may be unbound is never computed before CPython would have read it.
@case((3, 0), (0, 0), (3, 2))
def invariant_test_of_an_unbound_name(n: int, m: int):
    for u in range(m):
        pass
    hits = 0
    for _ in range(n):
        if m >= u:
            hits += 1
    return hits


# A name that the first round binds and the later ones read.
@case((0,), (1,), (4,))
def previous_round(n: int):
    for i in range(n):
        if i > 0:
            y = previous + 1
        else:
            y = 0
        previous = y
    return previous


# The inner loop reads what only the end of an outer round binds.
@case((0,), (1,), (3,))
def bound_by_the_outer_round(n: int):
    i = 0
    while i < n:
        k = 0
        while k < 2:
            s = last + k if i > 0 else 1
            k += 1
        last = s
        i += 1
    return last, s


# A variable of one branch that a loop inside a loop binds on every path.
@case((5, 3), (0, 3), (0, 5), (1, 3))
def bound_in_a_loop_in_a_loop(i: int, j: int):
    if i < j:
        k = 3
    for _ in range(i):
        for k in range(3):
            k = 3
    return k


# ... that a nested function binds, and a handler reads.
@case((5, 3), (0, 3), (5, 0), (0, 0), (-1, 0))
def bound_by_a_function_in_a_loop(i: int, j: int):
    if i < j:
        k = 3

    def bind():
        nonlocal k
        for k in range(3):
            k = 3

    try:
        for _ in range(i):
            bind()
        i // j
    except ZeroDivisionError:
        return k, "handled"
    return k


class Knot:
    """Something that may hold itself."""


# What the body of a loop writes before it raises, as it always does.
@case((1, Knot()), (0, Knot()))
def holds_itself_and_raises(n, knot):
    while n:
        n -= 1
        knot.me = knot
        raise ValueError(n)
    return n
