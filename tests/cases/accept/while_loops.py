"""`while` loops whose trip count is known only at run time."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([3.0, 1.0, 2.0])


# The loop of the introduction: two counters, as Python ints, NumPy scalars and arrays.
@case(
    (0, 5),
    (10, 5),
    (np.int32(1), np.int32(9)),
    (np.float64(0.5), np.float64(3.0)),
    (np.array([5]), np.array([5])),
    (np.array([1.0]), np.array([4.0])),
)
def two_counters(first, second):
    while first < second:
        first = first + 2
        second = second + 1
    return first, second


# A loop that doesn't run leaves everything as it was.
@case((5,), (-5,), (0,))
def zero_trips(n: int):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total, n


# The trip count follows from the data.
@case((27,), (1,), (97,))
def collatz_steps(n: int):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


# Euclid: the state is a pair.
@case((48, 36), (17, 5), (0, 9), (9, 0), (2**70, 2**35 * 3))
def greatest_common_divisor(a: int, b: int):
    while b:
        a, b = b, a % b
    return a


# `while True` with a `break` that a run-time value decides.
@case((100,), (1,), (0,))
def while_true_with_break(limit: int):
    n = 1
    while True:
        n *= 3
        if n > limit:
            break
    return n


# ... with a return.
@case((100,), (1,))
def while_true_with_return(limit: int):
    n = 1
    while True:
        if n * n > limit:
            return n
        n += 1


# `continue` goes back to the condition.
@case((10,), (0,))
def while_with_continue(n: int):
    total = 0
    i = 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        total += i
    return total, i


# Loops in loops: the inner count depends on the outer variable.
@case((4,), (1,), (0,))
def nested_loops(n: int):
    total = 0
    i = 0
    while i < n:
        j = 0
        while j <= i:
            total += i * j
            j += 1
        i += 1
    return total


# The condition reads an array.
@case((X,), (X * 100.0,), (np.array([np.nan]),))
def halves_until_the_norm_is_small(x: f64["n"]):
    count = 0
    while np.sum(x * x) > 1.0:
        x = x / 2.0
        count += 1
    return x, count


# A condition of several parts stops at the one that decides.
@case((np.array([3.0, 1.0, -2.0, 5.0]),), (np.array([1.0]),), (np.array([], dtype=float),))
def index_of_the_first_negative(x: f64["n"]):
    i = 0
    while i < len(x) and x[i] >= 0.0:
        i += 1
    return i


# A condition with a side that raises: IndexError out of the loop.
@case((np.array([3.0, 1.0]),), (np.array([3.0, -1.0]),))
def runs_over_the_end(x: f64["n"]):
    i = 0
    while x[i] >= 0.0:
        i += 1
    return i


# A bool as loop flag.
@case((17,), (91,), (2,), (1,))
def is_prime(n: int):
    divisor = 2
    prime = n > 1
    while prime and divisor * divisor <= n:
        if n % divisor == 0:
            prime = False
        divisor += 1
    return prime


# A variable first bound in the body, read after the loop.
@case((3,), (1,))
def bound_in_the_body(n: int):
    while n > 0:
        last = n * 10
        n -= 1
    return last


# Newton's square root, in Python floats.
@case((2.0,), (1e-6,), (1e10,))
def square_root(x: float):
    guess = 1.0
    while abs(guess * guess - x) > 1e-9 * x:
        guess = 0.5 * (guess + x / guess)
    return guess


# The same with NumPy scalars.
@case((np.float64(2.0),), (np.float64(9.0),))
def square_root_of_a_numpy_scalar(x: np.float64):
    guess = x
    while np.abs(guess * guess - x) > 1e-9:
        guess = 0.5 * (guess + x / guess)
    return guess


# The sum of the digits; the number of bits.
@case((90210,), (0,), (10**30 + 7,))
def digits_and_bits(n: int):
    digits, bits, m = 0, 0, n
    while n > 0:
        digits += n % 10
        n //= 10
    while m > 0:
        bits += m & 1
        m >>= 1
    return digits, bits


# The carried array changes its values, not its shape.
@case((X, 3), (X, 0))
def carried_array(x: f64["n"], steps: int):
    while steps > 0:
        x = np.tanh(x) + 0.5
        steps -= 1
    return x


# The loop swaps two arrays: none is copied, and the caller gets its own back.
@case((X, X + 1.0, 0), (X, X + 1.0, 1), (X, X + 1.0, 2))
def carried_arrays_are_swapped(x: f64["n"], y: f64["n"], steps: int):
    while steps > 0:
        x, y = y, x
        steps -= 1
    return x, y


# The carried array shrinks.
@case((np.arange(8.0),), (np.arange(7.0),), (np.arange(1.0),))
def carried_array_shrinks(x: f64["n"]):
    while len(x) > 1:
        half = len(x) // 2
        x = x[:half] + x[half : 2 * half]
    return x


# Two loops one after the other share a variable.
@case((7,), (0,))
def loops_in_sequence(n: int):
    up = 0
    while up * up < n:
        up += 1
    down = up
    while down > 0 and down * 2 > up:
        down -= 1
    return up, down


# An exact big-integer loop, past 64 bits.
@case((10,), (25,))
def repeated_squaring(limit: int):
    n, steps = 2, 0
    while steps < limit % 8 + 4:
        n = n * n
        steps += 1
    return n, steps


# What the test binds and writes holds after it, also where the body always raises.
@case((1,), (5,))
def a_test_that_binds_before_a_body_that_raises(n):
    while (k := n) > 3:
        raise ValueError(k)
    return k


@case((1, X), (100, X), (2, X))
def a_test_of_two_parts_before_a_body_that_raises(n, x):
    while (x := x + 1).sum() > n and (k := n) > 1:
        raise ValueError(k)
    return x, n


@case((1, [1, 2]), (9, [1, 2]))
def a_test_that_appends_before_a_body_that_raises(n, items):
    while items.append(n) is None and (k := len(items)) > n:
        raise ValueError(k)
    return items, k


# The test binds what the body binds anew to what it was: the loop is left after the test.
@case((1, 4), (2, 4), (5, 4))
def a_test_that_binds_and_a_body_that_binds_back(i, j):
    m = j
    fuel = 3
    while fuel and (j := i) > 1:
        fuel -= 1
        j, j = (1, m)
    return j


@case((1, [1]), (3, [1]), (0, [1]))
def a_test_that_binds_a_list(n, items):
    rows = items
    while n > 0 and len(rows := [n]) > 0:
        n -= 1
        rows = items
        rows.append(n)
    return rows, items


@case((3,), (0,))
def a_test_that_makes_an_object(n):
    kept = box = Box(n)
    while (box := Box(n)).n > 0:
        n -= 1
        box.n = 7
        box = kept
    return box.n, kept.n, box is kept


class Box:
    """See the case above."""

    def __init__(self, n):
        self.n = n
