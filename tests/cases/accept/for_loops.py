"""`for` over ranges, enumerate, zip, arrays and tuples; loop variables; loops without a trip."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64, u8
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0])
Y = np.array([1.0, 10.0, 100.0])
M = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
EMPTY = np.array([], dtype=np.float64)


# A bound that is known at run time only.
@case((5,), (0,), (-3,), (1,))
def dynamic_bound(n: int):
    total = 0
    for i in range(n):
        total += i * i
    return total


# Start and stop.
@case((2, 6), (6, 2), (-3, 3))
def start_and_stop(a: int, b: int):
    total = 0
    for i in range(a, b):
        total = total * 3 + i
    return total


# Steps, negative ones too, known at run time only.
@case((0, 10, 3), (10, 0, -3), (0, 10, -1), (5, 5, 1), (-2, 9, 4))
def dynamic_step(a: int, b: int, step: int):
    total = 1
    for i in range(a, b, step):
        total = total * 5 + i
    return total


# A step of zero: ValueError.
@case((0,), (2,))
def step_of_zero(step: int):
    total = 0
    for i in range(0, 6, step):
        total += i
    return total


# A constant range, also a long one.
@case((1,), (3,))
def constant_bounds(n: int):
    for i in range(4):
        n = n * 2 + i
    for i in range(1000):
        n = (n * 31 + i) % 65537
    return n


# The loop variable keeps its last value.
@case((4,), (1,))
def loop_variable_after_the_loop(n: int):
    for i in range(n):
        pass
    return i


# A loop that doesn't run leaves an older value.
@case((0,), (3,))
def loop_variable_keeps_an_older_value(n: int):
    i = -1
    for i in range(n):
        pass
    return i


# A loop that doesn't run and a variable without an older value: UnboundLocalError.
@case((0,), (3,))
def loop_variable_is_unbound(n: int):
    for i in range(n):
        pass
    return i * 2


# Assigning to the loop variable doesn't change the next trip.
@case((4,))
def assignment_to_the_loop_variable(n: int):
    total = 0
    for i in range(n):
        i = i * 10
        total += i
    return total, i


# The bound is read once, before the loop.
@case((3,))
def bound_is_read_once(n: int):
    count = 0
    for _ in range(n):
        n += 1
        count += 1
    return count, n


# The elements of a vector are NumPy scalars.
@case((X,), (np.array([2.5]),))
def elements_of_a_vector(x: f64["n"]):
    best = x[0]
    for value in x:
        if value > best:
            best = value
    return best


# The elements of an array of bytes wrap as bytes do.
@case((np.array([200, 100], dtype=np.uint8),))
def elements_keep_their_dtype(x: u8["n"]):
    total = np.uint8(0)
    for value in x:
        total = total + value
    return total


# The rows of a matrix are arrays: views on it.
@case((M,))
def rows_of_a_matrix(m: f64["m", "n"]):
    total = np.zeros(2)
    for row in m:
        total = total + row * 2.0
    return total


# The last row outlives the loop, and is a view of the argument.
@case((M,))
def last_row_is_a_view(m: f64["m", "n"]):
    for row in m:
        pass
    return row


# A loop over an empty array runs zero times.
@case((EMPTY,), (X,))
def empty_array(x: f64["n"]):
    count = 0
    for _ in x:
        count += 1
    return count


# enumerate counts along; it may start elsewhere.
@case((X,), (EMPTY,))
def enumerate_an_array(x: f64["n"]):
    total = np.float64(0.0)
    last = -1
    for i, value in enumerate(x):
        total += i * value
        last = i
    return total, last


@case(
    (X, 10),
)
def enumerate_with_a_start(x: f64["n"], start: int):
    total = 0.0
    for i, value in enumerate(x, start):
        total += i * float(value)
    return total


# enumerate over a range.
@case((3,), (0,))
def enumerate_a_range(n: int):
    total = 0
    for i, k in enumerate(range(n, 2 * n)):
        total += i * k
    return total


# zip ends with the shortest.
@case((X, Y), (X, Y[:2]), (EMPTY, Y))
def zip_two_arrays(x: f64["n"], y: f64["m"]):
    total = np.float64(0.0)
    for a, b in zip(x, y):
        total = total + a * b
    return total


# zip of an array and a range.
@case((X, 2), (X, 9))
def zip_an_array_and_a_range(x: f64["n"], n: int):
    total = np.float64(0.0)
    for value, i in zip(x, range(n)):
        total = total + value * (i + 1)
    return total


# enumerate of zip.
@case(
    (X, Y),
)
def enumerate_a_zip(x: f64["n"], y: f64["n"]):
    total = np.float64(0.0)
    for i, (a, b) in enumerate(zip(x, y)):
        total = total * 2.0 + (a - b) * i
    return total


# A tuple is walked item by item; items may differ in type.
@case((1, 2.5), (-3, -0.5))
def items_of_a_tuple(n: int, x: float):
    total = 0.0
    for item in (n, x, 3):
        total = total * 2.0 + item
    return total


# A list of arrays of different shapes.
@case((X, M))
def items_of_different_shape(x: f64["n"], m: f64["m", "k"]):
    total = np.float64(0.0)
    for array in [x, m, x[:1]]:
        total = total + array.sum()
    return total


# A tuple of tuples, taken apart.
@case((2.0,), (-1.0,))
def items_are_taken_apart(x: float):
    y = 0.0
    for scale, shift in ((2.0, 1.0), (0.5, -1.0), (3.0, 0.0)):
        y = y + scale * x + shift
    return y


# zip and enumerate over tuples.
@case((1, 2, 3))
def zip_of_tuples(a: int, b: int, c: int):
    total = 0
    for i, (x, y) in enumerate(zip((a, b, c), (c, b, a))):
        total += (i + 1) * x * y
    return total


# Nested loops over the rows and their elements.
@case((M,))
def elements_of_a_matrix(m: f64["m", "n"]):
    total = np.float64(0.0)
    for row in m:
        for value in row:
            total = total * 0.5 + value
    return total


# The inner range depends on the outer variable.
@case((4,), (0,))
def triangle(n: int):
    count = 0
    for i in range(n):
        for j in range(i, n):
            count += i * 10 + j
    return count


# Indexing by the loop variable.
@case((X,), (EMPTY,))
def index_by_the_loop_variable(x: f64["n"]):
    total = np.float64(0.0)
    for i in range(len(x)):
        total += x[i] * x[-i - 1]
    return total


# A loop backwards.
@case((X,))
def horner_backwards(coefficients: f64["n"]):
    value = np.float64(0.0)
    for i in range(len(coefficients) - 1, -1, -1):
        value = value * 2.0 + coefficients[i]
    return value


# Several variables are carried.
@case((6,), (0,))
def several_carried_variables(n: int):
    evens, odds, flips = 0, 0, True
    for i in range(n):
        if flips:
            evens += i
        else:
            odds += i
        flips = not flips
    return evens, odds, flips


# A variable bound in the body and read after it.
@case((3,), (0,))
def bound_in_the_body(n: int):
    for i in range(n):
        square = i * i
    return square


# Loop over an integer array, as indexes into another.
@case((X, np.array([2, 0, -1])), (X, np.array([7])))
def elements_as_indexes(x: f64["n"], order: i64["m"]):
    total = np.float64(0.0)
    for i in order:
        total = total * 10.0 + x[i]
    return total


# The array that the loop walks is the one that it had at the start.
@case((X,))
def rebinding_the_iterable(x: f64["n"]):
    total = np.float64(0.0)
    for value in x:
        x = x * 2.0
        total += value
    return total, x


# A range whose direction a condition decides: to and fro.
@case((3, 2), (0, 1), (1, 0))
def serpentine(rows: int, columns: int):
    order = []
    for y in range(rows):
        forward = y % 2 == 0
        across = range(columns) if forward else range(columns - 1, -1, -1)
        step = 1 if forward else -1
        for x in across:
            order.append((y, x, x + step))
    return order


# A range of one branch only, and one of each.
@case((5,), (2,), (0,))
def range_of_a_branch(n: int):
    if n > 2:
        inner = range(n * 2, n - 9, -3)
        both = range(n)
    else:
        both = range(n, n + 4, 2)
    total = len(both) + both.start - both.step
    if n > 2:
        for i in inner:
            total = 10 * total + i
        total += 4 in inner
    return total, list(both), both[-1], both[1:]


# A range that a loop makes shorter, and one that it makes anew.
@case((6,), (1,), (0,))
def range_in_a_loop(n: int):
    rest, other = range(n), range(2)
    rounds = []
    while len(rest) > 1:
        rest = rest[1:-1]
        other = range(len(rest), -1, -1)
        rounds.append(sum(other))
    return rounds, list(rest), list(other), rest == range(0)


# Known ranges, one of them chosen while the program runs.
@case((0,), (1,), (7,))
def chosen_ranges(n: int):
    chosen = range(3) if n else range(10, 0, -4)
    kept = range(2)
    if n > 5:
        kept = chosen
    return [i * n for i in chosen], sum(kept), max(chosen)


# A chosen range goes to the caller as a range.
@case((3,), (0,))
def ranges_returned(n: int):
    first = range(n, 2 * n) if n else range(5)
    return first, (first, n), [i for i in reversed(first)], list(zip(first, "ab"))


# An element of an array is in a range if it is equal to one of its numbers.
@case((np.array([3, -1, 4, 9], np.int8), 5), (np.array([200, 2], np.uint8), 300), (np.array([], int), 2))
def elements_in_a_range(x, n):
    return [v in range(n) for v in x], [v in range(1, n, 2) for v in x], sum(v not in range(n) for v in x)
