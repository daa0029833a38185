"""Loops over numbers whose first or last round does something else: what becomes of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import staticpy
from staticpy.ir import copy_module, verify, walk
from staticpy.passes import edge_rounds_apart, optimize
from tests.support.graphs import is_machine_number


def rounds_of(program, *args):
    """What is in the rounds of the loops, once the first ones are apart."""
    module = copy_module(staticpy.jit(program).lower(*args).module)
    optimize(module)
    edge_rounds_apart(module, is_machine_number)
    verify(module)
    loops = [each for each in walk(module.main.block) if each.op.name == "for"]
    return [operation.op.name for loop in loops for operation in walk(loop.regions[0].block)]


def equal(x, out):
    for i in range(len(x)):
        if i == 0:
            out[i] = x[i]
        else:
            out[i] = 0.5 * out[i - 1] + x[i]


def above(x, out):
    for i in range(len(x)):
        if i > 0:
            out[i] = out[i - 1] + x[i]


def neighbour(x, out):
    for i in range(2, len(x), 2):
        if i - 2 >= 1:
            out[i] = out[i - 2] + x[i]


def true(x, out):
    for i in range(len(x)):
        out[i] = x[i - 1] if i else x[i]


def inner(x, out):
    for i in range(3):
        for j in range(len(x)):
            if j != 0:
                out[j] += x[j - 1] * i


def two(x, out):
    for i in range(len(x)):
        out[i] = 0.2 * x[i]
        if i >= 1:
            out[i] += 0.5 * out[i - 1]
        if i >= 2:
            out[i] -= 0.1 * out[i - 2]


@pytest.mark.parametrize("program", [equal, above, neighbour, true, inner, two])
def test_what_is_left_asks_nothing(program):
    names = rounds_of(program, np.arange(5.0), np.zeros(5))
    assert "store" in names
    assert "if" not in names


def last(x, out):
    for i in range(len(x)):
        if i < len(x) - 1:
            out[i] = x[i + 1]


def before_last(x, out):
    n = len(x)
    for i in range(n):
        if i + 1 < n:
            out[i] = x[i + 1]


def both(x, out):
    n = len(x)
    for i in range(n):
        left = x[i - 1] if i > 0 else x[n - 1]
        right = x[0] if i == n - 1 else x[i + 1]
        out[i] = left - right


@pytest.mark.parametrize("program", [last, before_last, both])
def test_the_last_round_is_apart_as_well(program):
    assert "if" not in rounds_of(program, np.arange(5.0), np.zeros(5))


def around(x, out):
    n = len(x)
    for i in range(n):
        out[i] = x[(i - 1) % n] - x[(i + 1) % n]


def test_what_is_left_divides_nothing():
    assert "py.mod" not in rounds_of(around, np.arange(5.0), np.zeros(5))


def steady(x, out):
    width = 1.0 / len(x)
    for i in range(1, len(x)):
        out[i] = x[i] * (0.5 / width**2) + (7 // len(x)) * math.sqrt(width)


def steady_at_a_first_round(x, out):
    for i in range(len(x)):
        if i > 0:
            out[i] = out[i - 1]
        out[i] += 1.0 / len(x)


@pytest.mark.parametrize("program", [steady, steady_at_a_first_round])
def test_what_is_left_raises_nothing_for_numbers_that_stay(program):
    names = rounds_of(program, np.arange(5.0), np.zeros(5))
    assert not {"py.truediv", "py.pow", "py.floordiv", "math.sqrt", "if"} & set(names)


def unsteady(x, out):
    total = 1.0
    for i in range(len(x)):
        total += out.size / len(x)
        out[i] = 1.0 / total


def steady_on_one_side(x, out):
    for i in range(len(x)):
        if x[i] > 2:
            out[i] = 1.0 / len(x)


@pytest.mark.parametrize("program", [unsteady, steady_on_one_side])
def test_what_differs_and_what_not_all_rounds_do_stays(program):
    assert "py.truediv" in rounds_of(program, np.arange(5.0), np.zeros(5))


def third(x, out):
    for i in range(len(x)):
        if i == 2:
            out[i] = x[i]


def three_before(x, out):
    n = len(x)
    for i in range(n):
        if i < n - 3:
            out[i] = x[(i + 3) % n]


def down(x, out):
    for i in range(4, -1, -1):
        if i < 4:
            out[i] = out[i + 1] + x[i]


def somewhere(x, out):
    for i in range(int(x[0]), len(x)):
        if i == 0:
            out[i] = x[i]


def arrays(x, out):
    for i in range(len(x)):
        if i > 0:
            out += x


def outer(x, out):
    for i in range(len(x)):
        for j in range(len(x)):
            if i > 0:
                out[j] += x[j]


@pytest.mark.parametrize("program", [third, three_before, down, somewhere, arrays, outer])
def test_others_stay(program):
    """Those that ask for other rounds, that go down or begin anywhere, of arrays, and those that
    others are in.
    """
    assert "if" in rounds_of(program, np.arange(5.0), np.zeros(5))


def test_python_has_the_loop():
    x = np.arange(5.0)
    source = staticpy.jit(equal, backend="python_source").lower(x, x.copy()).compile().source
    assert source.count("for ") == 1
    assert source.count("if ") == 1
