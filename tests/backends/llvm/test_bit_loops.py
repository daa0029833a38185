"""``while`` loops that take bits away from an int: what they give is CPython's, for every int."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.backends.llvm.bit_loops import bit_loop
from staticpy.ir import walk
from staticpy.ops import while_

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

LAST = 2**63 - 1


def cleared(v):
    count = 0
    while v:
        v &= v - 1
        count += 1
    return count


def cleared_the_other_way(v):
    count = 0
    while v != 0:
        v = (v - 1) & v
        count += 2
    return count


def cleared_above(v):
    count = 0
    while v > 0 and count < 5:
        v = v & (v - 1)
        count += 1
    return v, count


def cleared_up_to(v, most):
    count = 0
    while v:
        if count >= most:
            break
        v &= v - 1
        count += 1
    return v, count


def halved(v):
    count = 0
    while v > 0:
        count += v & 1
        v >>= 1
    return count


def divided(v):
    digits = 0
    while v > 0:
        v = v // 10
        digits += 1
    return digits


def power(base, exponent):
    result = 1
    while exponent > 0:
        if exponent & 1:
            result = result * base % 1009
        base = base * base % 1009
        exponent >>= 1
    return result


def of_elements(x):
    total = 0
    for i in range(len(x)):
        v = int(x[i])
        while v:
            v &= v - 1
            total += 1
    return total


def other_differences(v):
    count = 0
    while v and count < 70:
        v &= v - 2
        count += 1
    return v, count


def halved_below(v):
    count = 0
    while v and count < 70:
        v >>= 1
        count += 1
    return v, count


def changed_before(v):
    count = 0
    while v > 0 and count < 70:
        count += 1
        if count % 2:
            v += 3
        v >>= 1
    return v, count


INTS = (0, 1, 2, 3, 5, 12, 2**40 + 7, 2**62, LAST - 1, LAST, 2**63, 2**64 - 1, 3 << 70)
BELOW = (-1, -2, -8, -LAST, -LAST - 1, -LAST - 2, -(2**70))


@pytest.mark.parametrize("function", [cleared, cleared_the_other_way, divided, halved])
def test_ints(function):
    native = staticpy.jit(function, backend="llvm")
    for v in INTS:
        assert native(v) == function(v), v
    if function in (divided, halved):
        for v in BELOW:
            assert native(v) == function(v), v


@pytest.mark.parametrize(
    "function", [cleared_above, other_differences, halved_below, changed_before]
)
def test_ints_that_may_be_negative(function):
    native = staticpy.jit(function, backend="llvm")
    for v in (*INTS, *BELOW):
        assert native(v) == function(v), v


def test_a_loop_that_is_left():
    """A negative one ends by ``break`` alone."""
    native = staticpy.jit(cleared_up_to, backend="llvm")
    for v in (*INTS, *BELOW):
        for most in (0, 1, 3, 70):
            assert native(v, most) == cleared_up_to(v, most), (v, most)


def test_powers():
    native = staticpy.jit(power, backend="llvm")
    for base in (0, 3, -5, 1008, 2**40):
        for exponent in (0, 1, 7, 2**50 + 1, LAST, -3):
            assert native(base, exponent) == power(base, exponent)


def test_elements():
    native = staticpy.jit(of_elements, backend="llvm")
    for x in ([], [0], [1, 7, LAST, 2**40], [5] * 20):
        assert native(np.array(x, np.int64)) == of_elements(np.array(x, np.int64))
    assert native(np.array([255, 3], np.uint8)) == 10


def test_an_exception_before_an_int_leaves_64_bits():
    def function(x, v):
        count = 0
        while v:
            count += int(x[count])
            v &= v - 1
        return count

    native = staticpy.jit(function, backend="llvm")
    x = np.array([1, 1, 1])
    for v in (7, 15, -1, -LAST - 1):
        outcomes = []
        for each in (native, function):
            try:
                outcomes.append(each(x, v))
            except IndexError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


def test_writes_before_an_int_leaves_64_bits():
    """What can't be done again is not left before it is done."""

    def function(x, v):
        i = 0
        while v:
            x[i] = v & 7
            v &= v - 1
            i += 1
        return i

    native = staticpy.jit(function, backend="llvm")
    for v in (7, 31, -1, -(2**40) - 1):
        left = []
        for each in (native, function):
            x = np.zeros(3, int)
            try:
                each(x, v)
            except IndexError as error:
                left.append((str(error), x.tolist()))
            else:
                left.append(x.tolist())
        assert left[0] == left[1]


@pytest.mark.parametrize(
    ("function", "is_one"),
    [
        (cleared, True), (cleared_the_other_way, True), (cleared_above, True), (halved, True),
        (divided, True), (other_differences, False), (halved_below, False),
        (changed_before, False),
    ],
)  # fmt: skip
def test_which_loops_end(function, is_one):
    graph = staticpy.jit(function, backend="llvm").lower(5).module.main
    (loop,) = [each for each in walk(graph.block) if each.op is while_]
    assert (bit_loop(loop) is not None) is is_one


@pytest.mark.parametrize("function", [cleared, of_elements])
def test_clearing_bits_is_counting_them(function):
    argument = 5 if function is cleared else np.array([3, 4])
    assert "llvm.ctpop" in staticpy.jit(function, backend="llvm").lower(argument).compile().llvm_ir
