"""Ints of Python that loops count, or choose by a branch: of the sums of which nobody asks whether
they leave 64 bits none does.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

LAST = 2**63 - 1


def counted(x, count):
    for each in range(len(x)):
        if x[each] > 0:
            count += 1
        else:
            count -= 2
    return count


def counted_by_a_condition(x, count):
    for each in range(len(x)):
        count = count + (x[each] > 0).item() + each % 4
    return count


def counted_down(x, count):
    rounds = 0
    while rounds < len(x) and count > -LAST - 1:
        count -= 3
        rounds = 1 + rounds
    return count, rounds


def counted_in_turns(x, count):
    other = -count
    for each in range(len(x)):
        count, other = other + 1, count - each
    return count, other


def counted_until(x, count):
    for each in range(len(x)):
        count += 5
        if x[each] < 0:
            break
    return count


def counted_where_indexes_are_asked_for(x, count):
    total = 0.0
    for each in range(-min(2, len(x)), len(x)):
        count += 1
        total += x[each]
    return count, total


def counted_anew(x, count):
    longest = 0
    for each in range(len(x)):
        if x[each] > 0:
            count += 1
        elif x[each] == -7:
            count = 10
        else:
            count = 0 if x[each] < 0 else count
        longest = max(longest, count)
    return count, longest


def counted_anew_by_a_condition(x, count):
    for each in range(len(x)):
        count = (0 if x[each] < 0 else count - 3) + (x[each] > 2).item()
    return count


PROGRAMS = [
    counted, counted_anew, counted_anew_by_a_condition, counted_by_a_condition, counted_down,
    counted_in_turns, counted_until, counted_where_indexes_are_asked_for,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
def test_counters(function):
    native = staticpy.jit(function, backend="llvm")
    x = np.array([1, -1, 3, 0, 5, 2, -7, 1])
    for y in (x, -x, x[:0], np.ones(70_000, np.int64)):
        for start in (0, 3, 2**62 - 4, 2**62, LAST, -LAST, -(2**62) - 1, 2**70):
            assert native(y, start) == function(y, start), start


def test_a_counter_beyond_64_bits_after_a_write_is_an_error():
    def function(x, count):
        for each in range(len(x)):
            x[each] = 0
            count += 1
        return count

    native = staticpy.jit(function, backend="llvm")
    assert native(np.ones(9), 2**62) == 2**62 + 9
    with pytest.raises(OverflowError):
        native(np.ones(9), LAST - 3)


def chosen(x, number):
    for each in range(len(x)):
        if x[each] > 0:
            number = 3 * number + 1
        elif number % 2 == 0:
            number = number // 2 - each
        else:
            number = -number
    return number


def chosen_once(number, other):
    if number > other:
        number = number - other
        less = True
    else:
        number = other * number
        less = number < 5
    return number, less


def test_choices():
    """The side that isn't taken may be beyond 64 bits."""
    native = staticpy.jit(chosen, backend="llvm")
    for start in (0, 1, 5, -8, LAST, LAST - 1, -LAST, -LAST - 1, LAST // 3, 2**62):
        for x in ([1, 0, 0, 1], [0, 0, 0], [-1, 1, 1, 1, -1], [0, 1]):
            assert native(np.array(x), start) == chosen(np.array(x), start), start
    native = staticpy.jit(chosen_once, backend="llvm")
    for number in (0, 3, -7, LAST, -LAST, 2**40):
        for other in (1, -1, 4, LAST, -LAST, 2**40):
            assert native(number, other) == chosen_once(number, other)


def test_a_counter_becomes_a_vector():
    native = staticpy.jit(counted, backend="llvm")
    assert "x i64>" in native.lower(np.ones(5, np.int64), 0).compile().llvm_ir
