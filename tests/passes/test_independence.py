"""Loops whose rounds are independent of each other: which they are, and where each round writes."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import walk
from staticpy.ops import for_
from staticpy.passes import independence


def one_axis(x, y, k):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + x[i - 1, k]


def the_other_axis(x, y, k):
    for i in range(k):
        for j in range(len(x)):
            y[j, i + 1] += x[j, i]


def a_while(x, y, k):
    for i in range(k):
        number = 1.0
        while number < x[i, 0]:
            number = number * 2.0
        y[i - 2, k] = number


def only_where_a_condition_holds(x, y, k):
    for i in range(k):
        if x[i, k] > 0.0:
            y[i, 0] = x[k, i]


def row_of_all(x, y, k):
    for i in range(len(x)):
        y[i, 0] = y[i, 1] + y[k, 2]


@pytest.mark.parametrize(
    ("function", "place", "repeats", "others"),
    [
        (one_axis, ("y", 0, 0), True, []),
        (the_other_axis, ("y", 1, 1), False, []),
        (a_while, ("y", 0, -2), True, []),
        (only_where_a_condition_holds, ("y", 0, 0), True, []),
        (row_of_all, ("y", 0, 0), False, [("k", 0)]),
    ],
)
def test_each_round_has_a_place(function, place, repeats, others):
    found = independence(outermost(function))
    assert [(each.array.name, each.axis, each.offset) for each in found.written] == [place]
    assert found.repeats is repeats
    assert [(value.name, offset) for value, offset in found.others] == others


def neighbour(x, y, k):
    for i in range(1, k):
        y[i, 0] = y[i - 1, 0]


def carried(x, y, k):
    total = 0.0
    for i in range(k):
        total = total + x[i, 0]
        y[i, 0] = total


def left_early(x, y, k):
    for i in range(k):
        if x[i, 0] < 0.0:
            break
        y[i, 0] = x[i, 0]


def two_offsets(x, y, k):
    for i in range(k):
        y[i, 0] = x[i, 0]
        y[i + 1, 0] = x[i, 1]


def two_rows_of_all(x, y, k):
    for i in range(k):
        y[i, 0] = y[k, 0] + y[k + 1, 0]


def known_row(x, y, k):
    for i in range(k):
        y[i, 0] = y[0, 0] + x[i, 0]


def backwards(x, y, k):
    for i in range(k, 0, -1):
        y[i, 0] = x[i, 0]


def an_array_of_the_round(x, y, k):
    for i in range(k):
        row = x[i]
        y[i, 0] = row[k]


def nothing_is_written(x, y, k):
    for i in range(k):
        x[i, 0]


@pytest.mark.parametrize(
    "function",
    [
        neighbour,
        carried,
        left_early,
        two_offsets,
        two_rows_of_all,
        known_row,
        backwards,
        an_array_of_the_round,
        nothing_is_written,
    ],
)
def test_rounds_that_may_see_each_other(function):
    assert independence(outermost(function)) is None


def outermost(function):
    """The first loop of a function, optimized."""
    lowered = staticpy.jit(function).lower(np.ones((5, 5)), np.ones((5, 5)), 3)
    lowered.compile()
    return next(each for each in walk(lowered.module.main.block) if each.op is for_)
