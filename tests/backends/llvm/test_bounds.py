"""Loops whose indexes are checked before the first round: results, writes and exceptions are
those of a check in each.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def shifted(x, y, start, stop):
    for i in range(start, stop):
        y[i] = x[i - 1] + 2.0 * x[i] - x[i + 1]


def backwards(x, y, start, stop):
    for i in range(stop - 1, start - 1, -1):
        y[i] = y[i + 1] * 0.5 + x[i]


def in_steps(x, y, start, stop):
    for i in range(start, stop, 3):
        y[i] += x[i]


def from_the_end(x, y, start, stop):
    for i in range(start, stop):
        y[-1] += x[i]
        y[i] = y[-2] - x[0]


def if_there_is_one(x, y, start, stop):
    for i in range(start, stop):
        if i >= 0 and i + 1 < len(x):
            y[i] = x[i + 1]


def until(x, y, start, stop):
    for i in range(start, stop):
        if x[i] > 0.5:
            break
        y[i] = x[i]


def written_and_read(x, y, start, stop):
    for i in range(start, stop):
        x[i + 1] = x[i] + y[i]


def handed_on_twice(x, y, start, stop):
    for i in range(start, stop):
        y[i + 1] = 0.5 * y[i] + 0.25 * y[i - 1] + x[i]


def handed_on_if_written(x, y, start, stop):
    total = 0.0
    for i in range(stop - 1, start - 1, -1):
        if x[i] > 0.5:
            y[i] = y[i + 1] + y[i + 3]
        total += y[i + 1]
    y[0] = total


def handed_on_in_steps(x, y, start, stop):
    for i in range(start, stop, 3):
        if x[i] > 0.5:
            y[i] = y[i - 3] + x[i]
        else:
            y[i] = y[i - 6] - y[i - 1]


def looked_up(x, y, start, stop):
    for i in range(start, stop):
        y[i] = x[int(y[i] * 35.0) - 2]


def counted(x, y, start, stop):
    for i in range(start, stop):
        y[int(x[i] * 35.0) - 4] += 1.0


def carried(x, y, start, stop):
    total, last = 0.0, -1
    for i in range(start, stop):
        total += x[i] * y[i]
        last = i
    y[last] = total


def far_apart(x, y, start, stop):
    for i in range(start, stop):
        y[i + start] = x[stop - i] + y[i - start - 1]


def turned_round(x, y, start, stop):
    for i in range(start, stop):
        y[stop - 1 - i] += x[i]


def with_room(x, y, start, stop):
    for i in range(stop, -1, -1):
        if start <= i:
            y[i] = max(y[i], y[i - start] + x[i])


def with_neighbours(x, y, start, stop):
    for i in range(stop):
        total = x[i]
        if i > 0:
            total += x[i - 1]
        if not i + 1 >= len(x):
            total += x[i + 1]
        y[i] = total


def handed_on_but_for_the_first(x, y, start, stop):
    for i in range(start, stop):
        if i >= 1:
            x[i] += x[i - 1]
    y[0] = x[-1]


def handed_on_after_a_function(x, y, start, stop):
    for i in range(start, stop):
        y[i] = x[i] // 0.125 + 0.5 * y[i - 1]
        if x[i] > 0.5:
            y[i] -= y[i - 2]


def best_so_far(x, y, start, stop):
    best, where = -1.0, -1
    for i in range(start, stop):
        if x[i] > best:
            best, where = x[i], i
    y[where] = best


PROGRAMS = [
    far_apart,
    turned_round,
    with_room,
    with_neighbours,
    handed_on_but_for_the_first,
    handed_on_after_a_function,
    best_so_far,
    shifted,
    backwards,
    in_steps,
    from_the_end,
    if_there_is_one,
    until,
    written_and_read,
    handed_on_twice,
    handed_on_if_written,
    handed_on_in_steps,
    looked_up,
    counted,
    carried,
]


def outcome(function, x, y, *rest):
    try:
        found = function(x, y, *rest)
    except (IndexError, ValueError) as error:
        found = type(error), str(error)
    return found, x.tobytes(), y.tobytes()


def vectors(layout):
    memory = np.random.default_rng(0).random(80)
    x, y = memory[:30].copy(), memory[30:60].copy()
    if layout == "steps":
        return memory[:60:2].copy()[::-1], memory[::2][:30]
    if layout == "shared":
        return memory[:30], memory[3:33]
    if layout == "the same":
        return x, x
    if layout == "read-only":
        y.flags.writeable = False
    return x, y


@pytest.mark.parametrize("layout", ["rows", "steps", "shared", "the same", "read-only"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_vectors(function, layout):
    native = staticpy.jit(function, backend="llvm")
    ends = [
        (0, 30),
        (1, 29),
        (1, 30),
        (0, 29),
        (-1, 5),
        (-40, -38),
        (28, 40),
        (5, 5),
        (9, 2),
        (2, 3),
    ]
    for start, stop in ends:
        given, expected = vectors(layout), vectors(layout)
        found = outcome(native, *given, start, stop)
        assert found == outcome(function, *expected, start, stop), (start, stop)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_numbers_of_numpys(function):
    native = staticpy.jit(function, backend="llvm")
    for start, stop in ((0, 30), (2, 29), (-3, 5), (7, 31)):
        given, expected = vectors("rows"), vectors("rows")
        ends = np.int64(start), np.int64(stop)
        found = outcome(native, *given, *ends)
        assert found == outcome(function, *expected, *ends), (start, stop)


def test_indexes_that_leave_64_bits():
    def read(x, far, more):
        total = 0.0
        for i in range(4):
            if i - far < more:
                total += x[i]
            total += x[i + more - more]
        return total

    x = np.arange(5.0)
    native = staticpy.jit(read, backend="llvm")
    for far in (0, 2**62, -(2**62), 2**63 - 1, -(2**63)):
        for more in (0, 2**62, -(2**62), 2**63 - 1):
            assert native(x, far, more) == read(x, far, more), (far, more)


def jacobi(x, y, m, n):
    for i in range(1, m - 1):
        for j in range(1, n - 1):
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


def eliminated(x, y, m, n):
    for k in range(m):
        for i in range(k + 1, m):
            x[i, k] /= x[k, k]
            for j in range(k + 1, n):
                x[i, j] -= x[i, k] * x[k, j]
    y[0, 0] = x[m - 1, n - 1]


def columns(x, y, m, n):
    for j in range(n):
        for i in range(1, m):
            y[i, j] = y[i - 1, j] + x[i, j]


def turned(x, y, m, n):
    for i in range(m):
        for j in range(n):
            y[j, i] = x[i, -1] - x[-1, j]


def table(x, y, m, n):
    for i in range(1, m):
        for j in range(1, n):
            changed = y[i - 1, j - 1] + x[i, j]
            y[i, j] = min(changed, y[i - 1, j] + 1.0, y[i, j - 1] + 1.0)


def common(x, y, m, n):
    for i in range(m - 1):
        for j in range(n - 1):
            if x[i, j] > 1.5:
                y[i + 1, j + 1] = y[i, j] + 1.0
            else:
                y[i + 1, 1 + j] = max(y[i, j + 1], y[i + 1, j])


def diagonal(x, y, m, n):
    for k in range(1, min(m, n)):
        y[k, k] = y[k - 1, k - 1] + x[k, k - 1]


def matrices(layout):
    rng = np.random.default_rng(1)
    x, y = rng.random((6, 6)) + 1.0, rng.random((6, 6))
    if layout == "columns":
        return np.asfortranarray(x), np.asfortranarray(y)
    if layout == "steps":
        return rng.random((12, 12))[::2, ::2] + 1.0, rng.random((12, 18))[1::2, ::-3]
    if layout == "shared":
        return x, x.T
    return x, y


@pytest.mark.parametrize("layout", ["rows", "columns", "steps", "shared"])
@pytest.mark.parametrize("function", [jacobi, eliminated, columns, turned, table, common, diagonal])
def test_matrices(function, layout):
    native = staticpy.jit(function, backend="llvm")
    for m, n in [(6, 6), (7, 6), (6, 7), (5, 4), (0, 3), (1, 1), (6, 9)]:
        given, expected = matrices(layout), matrices(layout)
        found = outcome(native, *given, m, n)
        assert found == outcome(function, *expected, m, n), (m, n)


def integers(x, y, start, stop):
    for i in range(start, stop):
        y[i] = x[i] * x[i] + i


def test_integers_that_overflow():
    """Each is one of NumPy's, which warns, and then the next round follows."""
    native = staticpy.jit(integers, backend="llvm")
    for start, stop in [(0, 8), (-2, 3), (5, 9)]:
        given, expected = ([np.arange(8, dtype=np.int8) * 5, np.zeros(8, np.int8)] for _ in "ab")
        with np.errstate(all="ignore"):
            found = outcome(native, *given, start, stop)
            assert found == outcome(integers, *expected, start, stop)


def running_sum(x):
    y = np.zeros(len(x) + 1, x.dtype)
    for i in range(len(x)):
        y[i + 1] = y[i] + x[i]
    return y


def test_what_is_handed_on_does_not_go_through_memory():
    """The sum of one round is an operand of the next one's."""
    native = staticpy.jit(running_sum, backend="llvm")
    code = native.lower(np.arange(9)).compile().llvm_ir
    rounds = [each for each in code.split("\n\n") if "phi" in each and "sadd.with" in each]
    assert min(each.count("load i64") for each in rounds) == 1


def test_loops_become_vectors():
    native = staticpy.jit(jacobi, backend="llvm")
    code = native.lower(np.ones((5, 5)), np.ones((5, 5)), 5, 5).compile().llvm_ir
    assert "x double>" in code
