"""Functions that call themselves: depth known while compiling, depth known at run time."""

from __future__ import annotations

import functools

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5, 8.0])


# --- depth at run time ----------------------------------------------------------------------------


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def power(base, exponent):
    """By squaring, without exponents below zero."""
    if exponent == 0:
        return 1
    half = power(base, exponent // 2)
    if exponent % 2:
        return half * half * base
    return half * half


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@case((5,), (0,), (30,))
def factorial_at_run_time(n: int):
    return factorial(n)


@case((12,), (1,), (0,))
def fibonacci_at_run_time(n: int):
    return fibonacci(n)


# The program calls itself.
@case((10,), (0,))
def calls_itself(n: int):
    if n == 0:
        return 0
    return n * n + calls_itself(n - 1)


# ... under another number of arguments.
@case((6,), (6, 100))
def sum_with_an_accumulator(n, total=0):
    if n == 0:
        return total
    return sum_with_an_accumulator(n - 1, total + n)


@case((48, 18), (7, 0), (0, 5), (17, 5))
def greatest_common_divisor(a: int, b: int):
    return gcd(a, b)


@case((3, 13), (2, 100), (5, 0))
def power_by_squaring(base: int, exponent: int):
    return power(base, exponent)


@case((1.5, 7), (-2.0, 3))
def float_power_by_squaring(base: float, exponent: int):
    return power(base, exponent)


@case((2, 3), (1, 5), (0, 0))
def ackermann_at_run_time(m: int, n: int):
    return ackermann(m, n)


# Two functions that call each other.
@case((7,), (8,), (0,))
def mutual_recursion(n: int):
    return is_even(n), is_odd(n)


# Three of them.
def first(n, log):
    log.append("a")
    return second(n - 1, log) if n > 0 else log


def second(n, log):
    log.append("b")
    return third(n - 1, log) if n > 0 else log


def third(n, log):
    log.append("c")
    return first(n - 1, log) if n > 0 else log


@case((5,), (0,))
def mutual_recursion_of_three(n: int):
    return first(n, [])


# Several results.
def extremes(x, low, high):
    """The smallest and the largest of x[low:high]."""
    if high - low == 1:
        return x[low], x[low]
    middle = (low + high) // 2
    a, b = extremes(x, low, middle)
    c, d = extremes(x, middle, high)
    return min(a, c), max(b, d)


@case((X,), (X[:1],))
def several_results(x: f64["n"]):
    return extremes(x, 0, len(x))


# Divide and conquer on an array.
def total(x, low, high):
    if low >= high:
        return 0.0
    if high - low == 1:
        return float(x[low])
    middle = (low + high) // 2
    return total(x, low, middle) + total(x, middle, high)


@case((X,), (X[:0],))
def divided_sum(x: f64["n"]):
    return total(x, 0, len(x))


# Binary search.
def search(x, wanted, low, high):
    if low >= high:
        return -1
    middle = (low + high) // 2
    if x[middle] == wanted:
        return middle
    if x[middle] < wanted:
        return search(x, wanted, middle + 1, high)
    return search(x, wanted, low, middle)


@case((np.sort(X), 2.0), (np.sort(X), 2.5), (X[:0], 1.0))
def binary_search(x: f64["n"], wanted: float):
    return search(x, wanted, 0, len(x))


# Quicksort in place.
def quicksort(x, low, high):
    if low >= high:
        return
    pivot = x[high]
    i = low
    for j in range(low, high):
        if x[j] < pivot:
            x[i], x[j] = x[j], x[i]
            i += 1
    x[i], x[high] = x[high], x[i]
    quicksort(x, low, i - 1)
    quicksort(x, i + 1, high)


@case((X.copy(),), (np.array([2.0, 2.0, 1.0]),), (np.zeros(0),))
def sorts_its_argument(x):
    quicksort(x, 0, len(x) - 1)
    return x[:1].sum()


# Merge sort, which makes new arrays.
def merged(x):
    if len(x) <= 1:
        return x
    middle = len(x) // 2
    left, right = merged(x[:middle]), merged(x[middle:])
    result = np.zeros(len(x))
    i = j = 0
    for k in range(len(x)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            result[k] = left[i]
            i += 1
        else:
            result[k] = right[j]
            j += 1
    return result


@case((X,), (X[:1],), (X[:0],))
def merge_sort(x: f64["n"]):
    return merged(x)


# The towers of Hanoi: moves are counted, or written down.
def hanoi(n, source, spare, target, moves):
    if n > 0:
        hanoi(n - 1, source, target, spare, moves)
        moves.append(source * 10 + target)
        hanoi(n - 1, spare, source, target, moves)


@case((3,), (0,))
def towers(n: int):
    moves = []
    hanoi(n, 1, 2, 3, moves)
    return len(moves), moves


# A nested function that calls itself.
@case((5,), (0,))
def nested_function_calls_itself(n: int):
    def digits(k):
        return [] if k == 0 else digits(k // 2) + [k % 2]

    return digits(n), len(digits(n * n))


# ... and counts its calls.
@case((7,), (0,))
def calls_are_counted(n: int):
    calls = 0

    def collatz(k):
        nonlocal calls
        calls += 1
        if k <= 1:
            return 0
        return 1 + collatz(k // 2 if k % 2 == 0 else 3 * k + 1)

    return collatz(n), calls


# A lambda by its name.
@case((6,), (0,))
def recursive_lambda(n: int):
    triangle = lambda k: 0 if k <= 0 else k + triangle(k - 1)
    return triangle(n)


# Remembered results.
@case((30,), (1,))
def remembered(n: int):
    known = {0: 0, 1: 1}

    def f(k):
        if k not in known:
            known[k] = f(k - 1) + f(k - 2)
        return known[k]

    return f(n), len(known)


@functools.lru_cache(maxsize=None)
def partitions(n, largest):
    if n == 0:
        return 1
    if n < 0 or largest == 0:
        return 0
    return partitions(n - largest, largest) + partitions(n, largest - 1)


@case((10,), (0,))
def cached_partitions(n: int):
    return partitions(n, n)


# An error deep inside.
def countdown(n, bottom):
    if n == 0:
        return 10 // bottom
    return countdown(n - 1, bottom) + 1


@case((5, 2), (5, 0), (0, 0))
def error_at_the_bottom(n: int, bottom: int):
    return countdown(n, bottom)


@case((5, 2), (5, 0))
def error_at_the_bottom_is_handled(n: int, bottom: int):
    try:
        return countdown(n, bottom)
    except ZeroDivisionError:
        return -1


# A raise with the depth in its text.
def limited(n, depth):
    if depth > 4:
        raise ValueError(f"too deep at {n}")
    return n if n < 10 else limited(n // 2, depth + 1)


@case((100,), (10_000,))
def depth_in_an_error(n: int):
    return limited(n, 0)


# The type of the result depends on the depth.
def halved(n):
    if n % 2:
        return n
    return halved(n // 2) + 0.5


@case((12,), (7,))
def type_depends_on_the_depth(n: int):
    return halved(n)


# What changes from call to call: None or a value.
def found(x, i, limit):
    if i == len(x):
        return None
    return i if x[i] > limit else found(x, i + 1, limit)


@case((X, 5.0), (X, 50.0))
def none_at_the_bottom(x: f64["n"], limit: float):
    return found(x, 0, limit)


# Adaptive integration.
def simpson(f, a, b):
    return (b - a) / 6.0 * (f(a) + 4.0 * f((a + b) / 2.0) + f(b))


def integrated(f, a, b, tolerance):
    middle = (a + b) / 2.0
    whole = simpson(f, a, b)
    parts = simpson(f, a, middle) + simpson(f, middle, b)
    if abs(whole - parts) < tolerance:
        return parts
    return integrated(f, a, middle, tolerance / 2.0) + integrated(f, middle, b, tolerance / 2.0)


@case((0.0, 2.0), (-1.0, 1.0), (1.0, 1.0))
def adaptive_integration(a: float, b: float):
    return integrated(lambda x: 1.0 / (1.0 + x * x * x * x), a, b, 1e-6)


# A list that each call makes longer, in a loop or a generator expression.
@case((1,), (4,), (5,))
def queens(n: int):
    def fits(rows, new):
        return all(new != row and abs(new - row) != len(rows) - i for i, row in enumerate(rows))

    def solve(rows):
        if len(rows) == n:
            return 1
        return sum(solve([*rows, row]) for row in range(n) if fits(rows, row))

    return solve([])


def paths(steps, n):
    if n <= 0:
        return [steps]
    return [path for step in range(2) for path in paths([*steps, step], n - 1)]


# ... and lists of such lists come back.
@case((0,), (2,))
def all_paths(n: int):
    return paths([], n)


def moved(n, source="A", target="B", other="C"):
    if n == 0:
        return []
    rest = moved(n - 1, source, other, target)
    return [*rest, (source, target), *moved(n - 1, other, target, source)]


# Functions that call each other with texts in another order, and return lists.
@case((0,), (1,), (4,))
def towers_of_texts(n: int):
    return moved(n)
