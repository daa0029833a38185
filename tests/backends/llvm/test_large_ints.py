"""Sums, differences and products of ints near the ends of 64 bits: LLVM is told that nobody reads
one that leaves them, and loops, conditions and branches give Python's ints all the same.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def up(n, step):
    j, count = n - 5 * step, 0
    while j <= n:
        if j < n + 1:
            count += 1
        j += step
    return j, count


def down(n, step):
    j, count = 5 * step - n, 0
    while j >= -n:
        if j > -n - 1:
            count += 1
        j -= step
    return j, count


def chosen(n, step):
    found = []
    for k in range(4):
        if k % 2 == 0:
            t = n + k
            t = t * 2 - n
        else:
            t = n - k
            t = t + step - n
        found.append(t)
    return found


def chosen_of_one_side(n, step):
    total = 0
    for k in range(4):
        total = total // 2 + (step + k * k if k < 3 and n > k else k)
    return total


def products(n, step):
    i, count = 2, 0
    while i * i <= n:
        i = i * i + step % 2
        count += 1
    return i, count


LARGE = 2**63 - 1


@pytest.mark.parametrize("plain", [up, down, chosen, chosen_of_one_side, products])
@pytest.mark.parametrize("n", [10, 2**31, 2**62, LARGE - 3, LARGE - 1, LARGE])
@pytest.mark.parametrize("step", [1, 3, 2**61, LARGE])
def test_ints_that_leave_64_bits(plain, n, step):
    assert staticpy.jit(plain, backend="llvm")(n, step) == plain(n, step)


def totals(x, limit):
    total, count = x[0], 0
    for i in range(1, len(x)):
        total = total + x[i]
        if total < limit:
            count += 1
    return total, count


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_numpys_ints_go_round_and_warn(dtype):
    native = staticpy.jit(totals, backend="llvm")
    most = np.iinfo(dtype).max
    for numbers in ([1, 2, 3], [most, 1, 2], [most - 1, 1, 1, 1], [most // 2, most // 2, 1, 1]):
        x, outcomes = np.array(numbers, dtype), []
        for function in (native, totals):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                outcomes.append((function(x, dtype(5)), {str(each.message) for each in caught}))
        assert outcomes[0] == outcomes[1], numbers
