"""Sums ``a * x + b`` of ints with known numbers: ``x`` is asked once if they leave 64 bits."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

FIRST, LAST = -(2**63), 2**63 - 1

FACTORS = (2, 3, 7, 2**31, 2**62, LAST)
OFFSETS = (0, 1, -1, 5, -9, 2**40, LAST, FIRST + 1)


def outcome(function, *arguments):
    """What a call gives that can't be done again, as something is written before."""
    out = np.zeros(1)
    try:
        return function(out, *arguments)
    except OverflowError:
        assert out[0] == 1.0
        return "overflows"


def expected(number):
    return number if FIRST <= number <= LAST else "overflows"


def at_the_ends(factor, offset):
    """Numbers around those from which on a line leaves 64 bits."""
    ends = ((end - offset) // factor + near for end in (FIRST, LAST) for near in (-1, 0, 1, 2))
    return [x for x in (*ends, FIRST, LAST, 0, 1, -1) if FIRST <= x <= LAST]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_lines_leave_64_bits_where_they_do(factor, offset):
    def plus(out, x):
        out[0] = 1.0
        return factor * x + offset

    def turned(out, x):
        out[0] = 1.0
        return offset + x * factor

    def minus(out, x):
        out[0] = 1.0
        return x * factor - offset

    for function, sign in ((plus, 1), (turned, 1), (minus, -1)):
        native = staticpy.jit(function, backend="llvm")
        for x in at_the_ends(factor, sign * offset):
            assert outcome(native, x) == expected(factor * x + sign * offset), (function, x)


def test_a_product_that_others_read_is_asked_itself():
    def sums(out, x):
        out[0] = 1.0
        product = 3 * x
        return product - 5, product

    native = staticpy.jit(sums, backend="llvm")
    for x in at_the_ends(3, 0):
        fits = all(expected(each) != "overflows" for each in (3 * x, 3 * x - 5))
        assert outcome(native, x) == ((3 * x - 5, 3 * x) if fits else "overflows")


def test_a_line_on_one_side_of_a_branch():
    def step(out, x):
        out[0] = 1.0
        return x // 2 if x % 2 == 0 else 3 * x + 1

    native = staticpy.jit(step, backend="llvm")
    for x in at_the_ends(3, 1):
        assert outcome(native, x) == expected(x // 2 if x % 2 == 0 else 3 * x + 1)


def test_a_line_of_a_constant_of_the_other_type():
    def line(out, x, flag):
        out[0] = 1.0
        return flag * 3 + 1, 3.0 * x + 1, True + 2 * x

    native = staticpy.jit(line, backend="llvm")
    for flag in (False, True):
        assert outcome(native, 5, flag) == line(np.zeros(1), 5, flag)
