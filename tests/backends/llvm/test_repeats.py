"""``np.repeat`` in native code: elements and rows several times."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details
from tests.support.layouts import layouts

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SHAPES = [(3, 4, 5), (1, 1, 1), (0, 3, 2), (3, 0, 2), (2, 30, 17), (40, 30, 20)]


def repeated(count, axis):
    def function(x):
        return np.repeat(x, count, axis)

    return function


@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("dtype", ["bool", "float32", "complex128"])
def test_elements_and_rows(dtype, axis):
    for count in (0, 3, 20):
        function = repeated(count, axis)
        native = staticpy.jit(function, backend="llvm")
        for shape in SHAPES:
            numbers = np.random.default_rng(0).standard_normal(shape) * 5
            for x in layouts(numbers.astype(dtype)):
                assert details(native(x)) == details(function(x)), (shape, count)


@pytest.mark.parametrize("count", [1, 2, 5, 8, 9])
def test_rows_of_all_lengths(count):
    function = repeated(count, None)
    native = staticpy.jit(function, backend="llvm")
    for size in (0, 1, 7, 8, 9, 1000, 100_003):
        numbers = np.arange(2 * size, dtype=np.float32)
        for x in (numbers[:size], numbers[::2], numbers[:size][::-1]):
            assert details(native(x)) == details(function(x)), size


def test_an_image_that_is_enlarged():
    def enlarged(image):
        return image.repeat(2, axis=0).repeat(2, axis=1) * 0.5

    image = np.random.default_rng(1).standard_normal((31, 45, 3))
    assert details(staticpy.jit(enlarged, backend="llvm")(image)) == details(enlarged(image))


def test_counts_that_are_arguments_or_arrays():
    def function(x, count, counts):
        return np.concatenate((np.repeat(x, count), np.repeat(x, counts)))

    native = staticpy.jit(function, backend="llvm")
    x, counts = np.arange(4.0), np.array([2, 0, 1, 3])
    for count in (0, 1, 3):
        assert details(native(x, count, counts)) == details(function(x, count, counts))
    with pytest.raises(ValueError, match="negative"):
        native(x, -1, counts)
