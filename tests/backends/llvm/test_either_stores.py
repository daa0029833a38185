"""Branches whose sides write one element, or give numbers that they read: both are computed."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, differences

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import control, either_stores


def common_subsequence(a, b, t):
    t = t.copy()
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if a[i - 1] == b[j - 1]:
                t[i, j] = t[i - 1, j - 1] + 1
            else:
                t[i, j] = max(t[i - 1, j], t[i, j - 1])
    return t


def edits(a, b, t):
    t = t.copy()
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if a[i - 1] == b[j - 1]:
                v = t[i - 1, j - 1]
            else:
                v = 1 + min(t[i - 1, j - 1], t[i - 1, j], t[i, j - 1])
            t[i, j] = v
    return t


def what_is_written_is_read(a, b, t):
    t = t.copy()
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if b[j] > a[i]:
                t[i, j] = t[i, j] + 3
            else:
                t[i, j] = t[i, j] - t[i, j - 1]
    return t


def to_another_place(a, b, t):
    t = t.copy()
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if b[j] > a[i]:
                t[i, j] = t[i, j] + 3
            else:
                t[i - 1, j] = t[i, j] - t[i, j - 1]
    return t


def of_several_types(a, b, t):
    t = t.copy()
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if b[j] > a[i]:
                t[i, j] = i
            else:
                t[i, j] = t[i, j - 1]
    return t


def in_a_branch(a, b, t):
    t, k = t.copy(), 0
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if a[i] != 1:
                if b[j] > a[i]:
                    t[i, j] = t[i, j - 1] + k
                else:
                    t[i, j] = k - j
                k = a[i] if t[i, j] > 2 else b[j]
    return t, k


def to_an_argument(a, b, t):
    for i in range(1, len(t)):
        for j in range(1, t.shape[1]):
            if a[i - 1] == b[j - 1]:
                t[i, j] = t[i - 1, j - 1] + 1
            else:
                t[i, j] = t[i - 1, j]


def out_of_bounds(a, b, t):
    t = t.copy()
    for i in range(1, len(t)):
        for j in range(len(b) + 1):
            if j == 0:
                t[i, j] = t[i - 1, j] + 1
            else:
                t[i, j] = b[j]
    return t


PROGRAMS = (
    *(common_subsequence, edits, what_is_written_is_read, to_another_place, of_several_types),
    *(in_a_branch, to_an_argument, out_of_bounds),
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "float64", "bool"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_as_cpython(program, dtype):
    if dtype == "bool" and program in (what_is_written_is_read, to_another_place):
        pytest.skip("NumPy subtracts no bools")
    random = np.random.default_rng(0)
    calls = []
    for n, m in ((4, 6), (1, 3), (3, 1), (12, 12)):
        a, b = (random.integers(0, 3, size) for size in (n, m))
        t = random.integers(0, 5, (n, m)).astype(dtype)
        calls += [Call((a, b, t)), Call((a, b, np.asfortranarray(t)))]
    native = staticpy.jit(program, backend="llvm")
    assert differences(program, calls, {"llvm": native}) == []


@pytest.mark.parametrize("place", [(2, 2), (2, 5), (7, 0)])
@pytest.mark.parametrize("number", [2**63 - 1, -(2**63)])
@pytest.mark.parametrize("program", [common_subsequence, edits, what_is_written_is_read])
def test_sums_that_overflow_on_the_side_that_is_taken_are_warned_of(program, number, place):
    random = np.random.default_rng(1)
    a, b = random.integers(0, 3, (2, 8))
    t = np.zeros((8, 8), np.int64)
    t[place] = number
    native = staticpy.jit(program, backend="llvm")
    assert differences(program, [Call((a, b, t)), Call((b, a, t))], {"llvm": native}) == []


def written_at_once(program, monkeypatch):
    """How many pairs of writes are one in native code."""
    found = []

    def store_either(cx, stores, condition):
        found.append(stores)
        either_stores.store_either(cx, stores, condition)

    monkeypatch.setattr(control, "store_either", store_either)
    arguments = np.zeros(3, int), np.zeros(3, int), np.zeros((4, 4), int)
    staticpy.jit(program, backend="llvm").lower(*arguments).compile()
    return len(found)


def test_one_write_takes_the_place_of_two(monkeypatch):
    assert written_at_once(common_subsequence, monkeypatch) == 1
    assert written_at_once(to_another_place, monkeypatch) == 0
    assert written_at_once(to_an_argument, monkeypatch) == 0
