"""``min`` and ``max`` of ints in a table: whichever operand is what the round before has written,
the number and its type are Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

Program = Callable[..., Any]


def left_first(t, costs):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = min(t[i, j - 1] + 1, t[i - 1, j] + 2, t[i - 1, j - 1] + costs[j])
    return t


def left_between(t, costs):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = max(t[i - 1, j] - 2, t[i, j - 1] - 1, t[i - 1, j - 1] - costs[j])
    return t


def carried_by_a_for(table, costs):
    best = costs[0]
    for j in range(table.shape[1]):
        best = max(best - 1, costs[j], table[0, j])
        table[0, j] = best
    return table, best


def carried_by_a_while(table, costs):
    best, j = 0, 0
    while j < table.shape[1]:
        best = min(best + 1, int(costs[j]), int(table[0, j]))
        j += 1
    return best


PROGRAMS = [left_first, left_between, carried_by_a_for, carried_by_a_while]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_tables(program: Program, dtype: type) -> None:
    native = staticpy.jit(program, backend="llvm")
    for seed in range(3):
        generator = np.random.default_rng(seed)
        table = generator.integers(20, 60, (5, 9)).astype(dtype)
        costs = generator.integers(0, 3, 9).astype(dtype)
        expected, found = program(table.copy(), costs), native(table.copy(), costs)
        np.testing.assert_equal(found, expected)
        assert type(found) is type(expected)
        if isinstance(expected, tuple):
            assert [type(each) for each in found] == [type(each) for each in expected]


@pytest.mark.parametrize("large", range(3))
def test_an_overflow_in_any_operand(large: int) -> None:
    def smallest(table, steps):
        for j in range(1, len(table)):
            table[j] = min(table[j - 1] + steps[0], table[j] + steps[1], j + steps[2])
        return table

    native = staticpy.jit(smallest, backend="llvm")
    steps = np.array([1, 2, 3])
    steps[large] = 2**63 - 1
    outcomes = []
    for function in (smallest, native):
        with pytest.warns(RuntimeWarning, match="overflow"):
            outcomes.append(function(np.arange(1, 6), steps).tolist())
    assert outcomes[0] == outcomes[1]
