"""Loops over ranges of which only the call says where they begin, end, and by how much they go."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

FIRST, LAST = -(2**63), 2**63 - 1


def indexes(start, stop, step):
    found, rounds = [], 0
    for i in range(start, stop, step):
        found.append(i)
        rounds += 1
    return found, rounds


def last_of_the_first(start, stop, step):
    last, rounds = 0, 0
    for i in range(start, stop, step):
        if rounds == 3:
            break
        last = i
        rounds += 1
    return last, rounds


def nested(start, stop, step):
    total = 0
    for i in range(start, stop, step):
        for j in range(i, i + 3 * step, step):
            total += i * j
    return total


def crossed_out(start, stop, step):
    x = np.arange(20)
    for i in range(start, stop, step):
        x[i] = -i
    return x.tolist()


@pytest.mark.parametrize("function", [indexes, nested, crossed_out])
def test_ranges(function):
    native = staticpy.jit(function, backend="llvm")
    for start in (-3, 0, 2, 19):
        for stop in (-7, 0, 3, 20):
            for step in (1, 2, 7, 100, -1, -3, -30):
                assert native(start, stop, step) == function(start, stop, step)


def test_ranges_that_end_where_ints_of_64_bits_do():
    native = staticpy.jit(last_of_the_first, backend="llvm")
    for start in (FIRST, FIRST + 5, -1, 0, LAST - 5, LAST):
        for stop in (FIRST, FIRST + 1, 0, LAST - 1, LAST):
            for step in (1, 3, LAST, -1, -4, FIRST):
                expected = last_of_the_first(start, stop, step)
                assert native(start, stop, step) == expected, (start, stop, step)


def far_apart(stop):
    found, rounds = 0, 0
    for i in range(5, stop, 2**50):
        found ^= i
        rounds += 1
    for i in range(-5, -stop, -(2**62)):
        found ^= i
        rounds += 1
    return found, rounds


def test_steps_that_are_large():
    native = staticpy.jit(far_apart, backend="llvm")
    for stop in (0, 6, 2**50, 2**60, LAST):
        assert native(stop) == far_apart(stop)


@pytest.mark.parametrize("function", [indexes, crossed_out])
def test_a_range_that_goes_nowhere(function):
    native = staticpy.jit(function, backend="llvm")
    assert native(2, 3, 1) == function(2, 3, 1)
    with pytest.raises(ValueError, match="must not be zero"):
        native(2, 3, 0)


def test_an_index_out_of_bounds_is_found_in_its_round():
    def write(x, start, stop, step):
        for i in range(start, stop, step):
            x[i] = i

    native = staticpy.jit(write, backend="llvm")
    for ends in ((3, 30, 4), (15, -30, -6), (-30, 3, 5)):
        given, expected = np.zeros(20), np.zeros(20)
        with pytest.raises(IndexError) as found:
            native(given, *ends)
        with pytest.raises(IndexError) as wanted:
            write(expected, *ends)
        assert str(found.value) == str(wanted.value)
        np.testing.assert_array_equal(given, expected)
