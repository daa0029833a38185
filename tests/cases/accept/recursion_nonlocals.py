"""Functions that call themselves and rebind, read and change what is around them."""

from __future__ import annotations

import math

import numpy as np

from staticpy import f64
from tests.support.cases import case

GRID = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])


# --- nonlocal -------------------------------------------------------------------------------------


@case((4,), (0,))
def best_of_all_choices(n: int):
    count = 0
    best = 0.0

    def go(i, total):
        nonlocal count, best
        count += 1
        if total > best:
            best = total
        if i < n:
            go(i + 1, total + 0.5 * i)
            go(i + 1, total)

    go(0, 0.0)
    return count, best


# The variable is of another type after the first call.
@case((4,), (0,))
def none_until_the_first_call(n: int):
    last = None

    def go(i):
        nonlocal last
        if i == 0:
            return 0
        last = i * 1.5
        return go(i - 1) + 1

    depth = go(n)
    return depth, last


@case((4,), (0,))
def array_that_is_rebound(n: int):
    total = np.zeros(2)
    first = total

    def go(i):
        nonlocal total
        if i > 0:
            total = total + i
            go(i - 1)
            total[0] += 10

    go(n)
    return total, first


@case((4,), (0,))
def two_that_call_each_other(n: int):
    steps = 0

    def left(k):
        nonlocal steps
        steps += 1
        return 0 if k <= 0 else right(k - 1) + 1

    def right(k):
        nonlocal steps
        steps += 10
        return 0 if k <= 0 else left(k - 1) + 1

    return left(n), steps


@case((5,), (1,))
def read_between_the_calls(n: int):
    mark = 0

    def go(k):
        nonlocal mark
        before = mark
        mark = mark * 2 + k
        for i in range(k):
            if i % 2 == 1:
                go(i)
                before += mark
        mark += before
        return before

    return go(n), mark


# A helper that doesn't call itself does the write.
@case((4,), (0,))
def counted_by_a_helper(n: int):
    count = 0

    def tick(by):
        nonlocal count
        count += by
        return count

    def go(k):
        if k > 0:
            go(k - 1)
            tick(k)
            go(k - 2)

    go(n)
    return count


@case((3,), (0,))
def text_that_grows(n: int):
    text = ""

    def visit(k):
        nonlocal text
        text += f"({k}"
        if k > 0:
            visit(k - 1)
        text += ")"

    visit(n)
    return text


# --- the arguments say nothing of the depth -------------------------------------------------------


@case((4,), (5,), (0,))
def queens(n: int):
    columns = []

    def is_safe(column):
        for row, other in enumerate(columns):
            if other == column or abs(other - column) == len(columns) - row:
                return False
        return True

    def place():
        if len(columns) == n:
            return 1
        total = 0
        for column in range(n):
            if is_safe(column):
                columns.append(column)
                total += place()
                columns.pop()
        return total

    return place()


@case((GRID,), (np.zeros((2, 2)),))
def flood_fill(grid: f64["m", "n"]):
    grid = grid.copy()

    def fill(i, j):
        if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or grid[i, j] != 1:
            return 0
        grid[i, j] = 2
        return 1 + fill(i + 1, j) + fill(i - 1, j) + fill(i, j + 1) + fill(i, j - 1)

    return fill(0, 0), grid


# --- what is returned is known from the paths that return -----------------------------------------


def simpson(f, a, b, tolerance):
    middle = (a + b) / 2
    coarse = (b - a) * (f(a) + f(b)) / 2
    fine = (middle - a) * (f(a) + f(middle)) / 2 + (b - middle) * (f(middle) + f(b)) / 2
    if abs(coarse - fine) < tolerance:
        return fine
    return simpson(f, a, middle, tolerance / 2) + simpson(f, middle, b, tolerance / 2)


@case((0.0, 1.0), (1.0, 1.0))
def adaptive_integral(a: float, b: float):
    return simpson(lambda t: t * t, a, b, 1e-3), simpson(math.sin, a, b, 1e-3)


def merge_sorted(x):
    if len(x) < 2:
        return x.copy()
    middle = len(x) // 2
    left, right = merge_sorted(x[:middle]), merge_sorted(x[middle:])
    out = np.empty(len(x))
    i = j = 0
    for k in range(len(x)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


@case((np.array([3.0, 1.0, 2.0, 5.0, 4.0]),), (np.array([]),))
def merge_sort(x: f64["n"]):
    return merge_sorted(x)


def is_even(n):
    if n == 0:
        return 1
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return 0.5
    return is_even(n - 1)


@case((7,), (0,))
def returned_by_the_other_one(n: int):
    return is_even(n), is_odd(n)


def spectrum(x):
    n = len(x)
    if n == 1:
        return x.astype(complex)
    even, odd = spectrum(x[::2]), spectrum(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


@case((np.array([1.0, 2.0, 3.0, 4.0]),), (np.array([5.0]),))
def fourier(x: f64["n"]):
    return spectrum(x)


# --- exceptions -----------------------------------------------------------------------------------


# The handler sees what was written in all of the calls.
@case((4,), (0,), (-1,))
def counted_up_to_an_exception(n: int):
    count = 0

    def go(k):
        nonlocal count
        count += 1
        if k == 0:
            raise ValueError("end")
        if k < 0:
            return
        go(k - 1)
        count += 1000

    try:
        go(n)
        count += 5
    except ValueError:
        count += 50
    return count


@case((4,), (0,))
def finally_in_each_call(n: int):
    count = 0

    def go(k):
        nonlocal count
        count += 1
        try:
            if k == 0:
                raise ValueError("end")
            go(k - 1)
        finally:
            count += 100

    try:
        go(n)
    except ValueError:
        return count


# --- a parser -------------------------------------------------------------------------------------


@case(("1+(2*3)+4*2",), ("7",), ("1+",), ("(1",))
def calculator(text: str):
    at = 0

    def total():
        nonlocal at
        value = product()
        while at < len(text) and text[at] == "+":
            at += 1
            value = value + product()
        return value

    def product():
        nonlocal at
        value = atom()
        while at < len(text) and text[at] == "*":
            at += 1
            value = value * atom()
        return value

    def atom():
        nonlocal at
        if text[at] == "(":
            at += 1
            value = total()
            if text[at] != ")":
                raise SyntaxError(f"at {at}")
            at += 1
            return value
        at += 1
        return int(text[at - 1])

    return total()


# The last name that a `try` binds is also the name of a variable around, which it changes before.
@case((0,), (2,))
def one_name_inside_and_around(n: int):
    x = 0

    def bump():
        nonlocal x
        x += 1

    def inverse(n):
        try:
            bump()
            x = 1 // n
        except ZeroDivisionError:
            x = -1
        return x

    return inverse(n), x
