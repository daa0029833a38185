"""Floats as integers, also where they don't fit: what NumPy makes of them on this processor."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

POWERS = (7, 8, 15, 16, 31, 32, 62, 63, 64, 65, 100)
BESIDE = (0.0, 1.0, -1.0, 0.5, -0.5, 3.0)
NUMBERS = np.array([2.0**power + beside for power in POWERS for beside in BESIDE])
NUMBERS = np.concatenate([NUMBERS, -NUMBERS, [np.nan, np.inf, -np.inf]])


def caster(dtype):
    def elements(x):
        return x.astype(dtype)

    def number(x):
        return x[0].astype(dtype)

    return elements, number


def outcome(function, x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(x)
    return found.dtype, found.tobytes(), [str(each.message) for each in caught]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
@pytest.mark.parametrize("source", ["float32", "float64"])
def test_floats_as_integers(source, dtype):
    for function in caster(np.dtype(dtype)):
        compiled = staticpy.jit(function, backend="llvm")
        for number in NUMBERS.astype(source):
            for size in (1, 9, 20):
                x = np.full(size, number)
                assert outcome(compiled, x) == outcome(function, x)


def stored(x, n):
    x[0] = n
    return x, x[1] + n


def test_ints_become_doubles_before_they_become_floats():
    n = 2**60 + 2**36 + 1  # above the middle of two floats, as a double in the middle
    native = staticpy.jit(stored, backend="llvm")
    found, expected = (each(np.zeros(2, np.float32), n) for each in (native, stored))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
