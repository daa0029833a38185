"""Counters that a ``while`` keeps below another int, and others."""

from __future__ import annotations

import pytest

import staticpy
from staticpy.ir import walk
from staticpy.passes import is_below_another


def alone(n, x):
    i = 0
    while i < n:
        i += 1
        x = x * 0.5
    return i, x


def first_of_two(n, x):
    i = 0
    while i < n and x > 1.0:
        i, x = i + 1, x * 0.5
    return i, x


def last_of_three(n, x):
    i = 0
    while x > 1.0 and x < 100.0 and n > i:
        i, x = 1 + i, x * 0.5
    return i, x


def one_of_two_is_enough(n, x):
    i = 0
    while i < n or x > 1.0:
        i, x = i + 1, x * 0.5
    return i, x


def up_to_it(n, x):
    i = 0
    while i <= n:
        i, x = i + 1, x * 0.5
    return i, x


def two_at_a_time(n, x):
    i = 0
    while i < n:
        i, x = i + 2, x * 0.5
    return i, x


def by_other_kinds_of_one(n, x):
    i, j = 0, 0.0
    while i < n and j < n:
        i, j, x = i + True, j + 1, x * 0.5
    return i, x


def below_a_float(n, x):
    i = 0
    while i < x:
        i, x = i + 1, x * 0.5
    return i, x


def another_one(n, x):
    i = j = 0
    while j < n:
        i, j, x = i + 1, j + i, x * 0.5
    return i, x


@pytest.mark.parametrize(
    ("function", "count"),
    [
        (alone, 1),
        (first_of_two, 1),
        (last_of_three, 1),
        (one_of_two_is_enough, 0),
        (up_to_it, 0),
        (two_at_a_time, 0),
        (by_other_kinds_of_one, 0),
        (below_a_float, 0),
        (another_one, 0),
    ],
)
def test_what_is_below_another(function, count):
    lowered = staticpy.jit(function).lower(3, 50.0)
    lowered.compile()
    assert sum(map(is_below_another, walk(lowered.module.main.block))) == count
