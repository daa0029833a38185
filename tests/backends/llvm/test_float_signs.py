"""``math.sqrt`` of what is never below 0, and of what may be: the same numbers and exceptions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

Program = Callable[..., Any]


def of_a_sum_of_squares(x, y, out):
    for i in range(len(x)):
        total = 0.0
        for k in range(len(y)):
            total += (x[i] - y[k]) ** 2
        out[i] = math.sqrt(total)


def of_magnitudes(x, y, out):
    for i in range(len(x)):
        out[i] = math.sqrt(abs(x[i]) * 2.0 + max(y[i], 0.0) / 3)


def of_one_or_the_other(x, y, out):
    for i in range(len(x)):
        value = x[i] * x[i] if x[i] > y[i] else abs(y[i])
        out[i] = math.sqrt(value)


def of_a_difference(x, y, out):
    for i in range(len(x)):
        out[i] = math.sqrt(x[i] * x[i] - y[i] * y[i])


def of_an_odd_power(x, y, out):
    for i in range(len(x)):
        out[i] = math.sqrt(x[i] ** 3)


def of_a_sum_that_falls(x, y, out):
    total = 10.0
    for i in range(len(x)):
        total -= abs(x[i])
        out[i] = math.sqrt(total)


def of_the_largest(x, y, out):
    """NaN is not larger than what is below 0."""
    for i in range(len(x)):
        out[i] = math.sqrt(max(x[i], y[i]))


def of_the_largest_by_a_key(x, y, out):
    for i in range(len(x)):
        out[i] = math.sqrt(max(x[i], 0.0, key=lambda value: -value))


def of_a_quotient(x, y, out):
    for i in range(len(x)):
        out[i] = math.sqrt(x[i] * x[i] / y[i])


def of_ints_that_go_on_below_zero(x, y, out):
    whole = np.array([4_000_000_000, 3])
    for i in range(len(whole)):
        out[i] = math.sqrt(whole[i] * whole[i])


PROGRAMS = [
    *(of_a_sum_of_squares, of_magnitudes, of_one_or_the_other, of_a_difference),
    *(of_an_odd_power, of_a_sum_that_falls, of_the_largest, of_a_quotient),
    *(of_the_largest_by_a_key, of_ints_that_go_on_below_zero),
]
NUMBERS = {
    "above 0": ([3.0, 0.5, 2.0, 1e-310, 1e200], [2.0, 0.25, 1.5, 0.0, 5.0]),
    "of both signs": ([3.0, -0.5, 2.0, -0.0, 7.0], [-1.0, 0.25, -4.0, 0.0, -7.0]),
    "not finite": ([np.inf, np.nan, -1.0, -np.inf, 1.0], [1.0, -2.0, np.nan, 0.0, -np.nan]),
    "none": ([], []),
}


def outcome(function: Program, numbers: str) -> tuple[bytes, str]:
    x, y = (np.array(each) for each in NUMBERS[numbers])
    out, raised = np.full(5, -1.0), ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(x, y, out)
        except (ValueError, ZeroDivisionError, OverflowError) as error:
            raised = f"{type(error).__name__}: {error}"
    out[np.isnan(out)] = np.nan  # of a sum of two, which one it is depends on their order
    return out.tobytes(), raised


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_roots(program: Program, numbers: str) -> None:
    native = staticpy.jit(program, backend="llvm")
    assert outcome(native, numbers) == outcome(program, numbers)
