"""Loops over numbers whose rounds all ask the same: the graphs that come of them."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import copy_module, verify, walk
from staticpy.passes import optimize, unswitch
from tests.support.graphs import is_machine_number


def loops_of(program, *args):
    """What is in each of the innermost loops."""
    module = copy_module(staticpy.jit(program).lower(*args).module)
    optimize(module)
    unswitch(module, is_machine_number)
    verify(module)
    loops = [each for each in walk(module.main.block) if each.op.name == "for"]
    inside = [[each.op.name for each in walk(loop.regions[0].block)] for loop in loops]
    return [names for names in inside if "for" not in names]


def flag(x, out, cubic):
    for i in range(len(x)):
        if cubic:
            out[i] = x[i] * x[i] * x[i]
        else:
            out[i] = x[i]


def outer(x, out, cubic):
    total = x[0]
    for i in range(len(x)):
        for j in range(len(x)):
            if i > 0 and x[j] > 1:
                total += x[j] * i
            out[j] = total
    return total


@pytest.mark.parametrize("program", [flag, outer])
def test_there_are_two_loops(program):
    one, other = loops_of(program, np.arange(5.0), np.zeros(5), True)
    assert one != other


def test_and_four_where_two_things_are_asked():
    def program(x, out, cubic):
        for i in range(len(x)):
            for j in range(len(x)):
                if i > 0:
                    out[j] += x[i - 1]
                if cubic:
                    out[j] *= x[j]

    assert len(loops_of(program, np.arange(5.0), np.zeros(5), True)) == 3  # one did nothing


def by_element(x, out, cubic):
    for i in range(len(x)):
        if x[i] > 1:
            out[i] = x[i]


def arrays(x, out, cubic):
    for i in range(len(x)):
        if cubic:
            out += x * i


@pytest.mark.parametrize("program", [by_element, arrays])
def test_others_stay(program):
    """Those whose rounds ask for something of their own, and those of arrays."""
    assert len(loops_of(program, np.arange(5.0), np.zeros(5), True)) == 1


def test_a_loop_is_not_written_down_without_end():
    def program(x, out, a, b, c, d, e, f, g, h):
        for i in range(len(x)):
            for one in (a, b, c, d, e, f, g, h):
                if one:
                    out[i] += x[i]

    assert 2 <= len(loops_of(program, np.arange(5.0), np.zeros(5), *[True] * 8)) <= 16
