"""Loops of a few known rounds within others: the graphs that come of them."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import UnionType, copy_module, verify, walk
from staticpy.passes import split_unions, unroll
from tests.support.graphs import is_machine_number


def unrolled(program, *args):
    module = copy_module(staticpy.jit(program).lower(*args).module)
    unroll(module, is_machine_number)
    split_unions(module, is_machine_number)
    verify(module)
    return list(walk(module.main.block))


def loops_of(operations):
    return sum(each.op.name == "for" for each in operations)


def window(x, out):
    for i in range(1, len(x) - 1):
        total = 0
        for a in range(-1, 2):
            for b in range(2):
                if a or b:
                    total += x[i + a] * b
        out[i] = total


def long(x, out):
    for i in range(len(x)):
        for a in range(9):
            out[i] += x[a - 1]


def large(x, out):
    for i in range(len(x)):
        for a in range(7):
            for b in range(7):
                for c in range(7):
                    out[i] += x[a] * x[b] * x[c - 1]


def of_arrays(x, out):
    for i in range(3):
        for a in range(2):
            out += x * (i + a)


def unknown(x, out):
    for i in range(len(x)):
        for a in range(i):
            out[i] += x[a - 1]


def left(x, out):
    for i in range(len(x)):
        for a in range(3):
            if x[a - 1] > 2:
                break
            out[i] += x[a]


def coordinates(x, out):
    for _ in range(len(x)):
        for a in range(3):
            out[a] += x[a]


def alone(x, out):
    for a in range(3):
        out[a] += x[a]


def test_the_types_are_those_of_each_round():
    operations = unrolled(window, np.arange(5), np.zeros(5))
    assert loops_of(operations) == 1
    assert sum(each.op.name == "index" for each in operations) == 5
    types = [result.type for each in operations for result in each.results]
    assert not any(isinstance(type_, UnionType) for type_ in types)
    assert not any(each.op.name == "if" for each in operations)


@pytest.mark.parametrize(
    ("program", "loops"),
    [(long, 2), (large, 3), (of_arrays, 2), (unknown, 2), (left, 2), (coordinates, 2), (alone, 1)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_others_stay(program, loops):
    """Those that are long, large, of arrays or of an unknown end, that can be left, of which no
    more is known, and that are in no other.
    """
    assert loops_of(unrolled(program, np.arange(9.0), np.zeros(9))) == loops


def test_python_has_the_loop():
    x = np.arange(5.0)
    source = staticpy.jit(window, backend="python_source").lower(x, x.copy()).compile().source
    assert source.count("for ") == 3
