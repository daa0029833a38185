"""Loops that ask at their end whether a number below 0 had no root, and another is no int."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm.engine import has_masks

EDGES = (0.0, -0.0, math.inf, math.nan, -math.nan, 5e-324, 1.7e308, 2.0, 1e-310)
BELOW = (-1.0, -5e-324, -math.inf, -1.7e308)


def roots(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = math.sqrt(x[i])
    return out


def of_a_difference(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = (math.sqrt(x[i] * 0.5 - x[len(x) - 1 - i] * 0.0) - x[i]) * 0.5
    return out


def of_pairs(x):
    out = np.empty((len(x), 3))
    for i in range(len(x)):
        for j in range(3):
            out[i, j] = math.sqrt(x[i] + j * 0.25) + i
    return out


def in_a_branch(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] >= 0:
            out[i] = math.sqrt(x[i]) * 2.0
    return out


def beside_a_division(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = math.sqrt(x[i]) + 1.0 / float(x[i] - 3.0)
    return out


def beside_an_int(x):
    out = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        out[i] = int(math.sqrt(x[i])) + i * 3
    return out


def checked(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        root = math.sqrt(x[i])
        assert root == root or root < 1
        if root > 1e100:
            raise OverflowError("large")
        out[i] = root
    return out


def depth(x):
    return 0.0 if x < 0.5 else 1.0 + depth(x - 1.0)


def recursive(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = depth(math.sqrt(x[i]))
    return out


def to_an_argument(x):
    for i in range(len(x)):
        x[i] = math.sqrt(x[i]) + 1.0
    return x


def ints(x):
    out = np.empty(len(x), np.int64)
    for i in range(len(x)):
        out[i] = int(x[i] * 10)
    return out


def ints_and_roots(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = math.floor(x[i]) % 7 + math.ceil(x[i] * 0.5) * math.sqrt(x[i])
    return out


def divided_by_an_int(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = 7 // int(x[i])
    return out


def by_an_index(x):
    table = np.arange(1000)
    out = np.empty(len(x), np.int64)
    for i in range(len(x)):
        out[i] = table[int(x[i])] + table[round(x[i])]
    return out


def chosen_by_an_int(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        if int(x[i]) > 5:
            out[i] = x[i]
        else:
            out[i] = math.trunc(x[0])
    return out


def summed_ints(x):
    out = np.zeros(2)
    total = 0
    for i in range(len(x)):
        total += int(x[i])
        out[1] += 1
    out[0] = total
    return out


def to_an_argument_beside_an_int(x):
    for i in range(len(x)):
        x[i] = x[i] * 0.5 + (0 if math.isnan(x[0]) else int(x[0]))
    return x


PROGRAMS = [
    *(roots, of_a_difference, of_pairs, in_a_branch, beside_a_division, beside_an_int, checked),
    *(recursive, to_an_argument, ints, ints_and_roots, divided_by_an_int, by_an_index),
    *(chosen_by_an_int, summed_ints, to_an_argument_beside_an_int),
]


def outcome(function, x):
    """The bits of what it gives and writes, or its exception; and what it warned of."""
    x = x.copy()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = function(x)
            found = made.dtype, np.where(np.isnan(made), 0.0, made).tobytes(), np.isnan(made).sum()
        except (ValueError, ArithmeticError, LookupError, AssertionError, RecursionError) as error:
            found = type(error), x.tobytes()
    return found, {str(each.message).split(" encountered")[0] for each in caught}


def numbers(size, *others):
    random = np.random.default_rng(size)
    x = random.uniform(4, 9, size)
    for place, other in zip(random.permutation(size), others, strict=False):
        x[place] = other
    return x


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_same_as_cpython(function):
    native = staticpy.jit(function, backend="llvm")
    given = [numbers(size) for size in (0, 1, 7, 200)]
    given += [numbers(size, each) for size in (1, 13, 100) for each in (*EDGES, *BELOW, 3.0)]
    given += [numbers(50, *pair) for pair in ((-1.0, 3.0), (3.0, -1.0), (-1.0, math.nan))]
    given += [numbers(50, *EDGES), numbers(50, -2.0, 1e210), numbers(50, *BELOW, *EDGES)]
    for x in given:
        for _ in range(2):
            assert outcome(native, x) == outcome(function, x), x


@pytest.mark.parametrize("function", [roots, of_a_difference, of_pairs, ints])
def test_same_on_several_threads_and_after_many_rounds(function):
    native = staticpy.jit(function, backend="llvm")
    for others in ((), (-1.0,), EDGES):
        x = numbers(150_000, *others)
        assert outcome(native, x) == outcome(function, x)


def test_loops_with_roots_are_vectors():
    text = staticpy.jit(roots, backend="llvm").lower(np.ones(9)).compile().llvm_ir
    assert "x double> @llvm.sqrt" in text


@pytest.mark.skipif(not has_masks(), reason="others convert floats one by one")
def test_loops_with_conversions_are_vectors():
    text = staticpy.jit(ints, backend="llvm").lower(np.ones(9)).compile().llvm_ir
    assert "fptosi <" in text


def test_a_conversion_that_no_round_does_is_not_warned_of():
    def program(x, y, out):
        for i in range(len(x)):
            out[i] = x[i] - 1.0
            if y < 10:
                out[i] += int(y)
        return out

    native = staticpy.jit(program, backend="llvm")
    for y in (1.0, math.inf):
        assert outcome(lambda x, y=y: native(x, y, x), numbers(40)) == outcome(
            lambda x, y=y: program(x, y, x), numbers(40)
        )
