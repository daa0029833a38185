"""``np.roll`` in native code: elements that are moved along an axis."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details
from tests.support.layouts import layouts

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SHAPES = [(3, 4, 5), (1, 1, 1), (1, 4, 1), (0, 3, 2), (3, 0, 2), (2, 300, 70), (100, 50, 40)]
SHIFTS = [0, 1, -1, 3, -7, 1_000_003, -(10**12), 2**63 - 1, -(2**63)]


def rolled(axis):
    def function(x, shift):
        return np.roll(x, shift, axis)

    return function


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (2,), (0, 1)])
def test_one_axis_or_all_elements(axis, dtype):
    function = rolled(axis)
    native = staticpy.jit(function, backend="llvm")
    for shape in SHAPES:
        numbers = np.random.default_rng(0).standard_normal(shape) * 5
        for x in layouts(numbers.astype(dtype)):
            for shift in SHIFTS:
                assert details(native(x, shift)) == details(function(x, shift)), (shape, shift)


def test_a_shift_beyond_64_bits():
    function = rolled(0)
    native = staticpy.jit(function, backend="llvm")
    x = np.arange(5.0)
    for shift in (1, 2**70, -(2**70)):
        assert details(native(x, shift)) == details(function(x, shift))


def laplacian(u):
    ends = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
    return ends - 4 * u


def moved_in_steps(u, steps):
    for _ in range(steps):
        u += 0.1 * laplacian(u)
        u[0] = 1
        u = np.roll(u, 1, 1)
    return u


def test_sums_of_neighbours_are_one_walk():
    u = np.random.default_rng(1).standard_normal((50, 70))
    native = staticpy.jit(laplacian, backend="llvm")
    np.testing.assert_array_equal(native(u), laplacian(u), strict=True)
    (kernel,) = native.lower(u).compile().kernels
    assert kernel.operations.count("add") == 3


def test_what_is_rolled_is_what_was_there():
    """Of arrays that are written to before and after."""
    u = np.random.default_rng(2).standard_normal((20, 30))
    given, expected = u.copy(), u.copy()
    found = staticpy.jit(moved_in_steps, backend="llvm")(given, 7)
    np.testing.assert_array_equal(found, moved_in_steps(expected, 7), strict=True)
    np.testing.assert_array_equal(given, expected)
