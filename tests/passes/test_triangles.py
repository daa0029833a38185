"""Triangles of matrices in steps, for backends that make loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_triangles_in_steps
from tests.backends.llvm.test_loops import details
from tests.support.layouts import layouts

SHAPES = [(3, 4), (4, 3), (5, 5), (1, 1), (1, 4), (4, 1), (0, 3), (3, 0), (2, 3, 4), (2, 0, 3)]


def upper_and_lower(x):
    return np.triu(x), np.tril(x)


def beside_the_diagonal(x):
    return np.triu(x, 1) + np.tril(x, -1), np.triu(x, -2), np.tril(x, 2)


def far_away(x):
    return np.triu(x, 9), np.triu(x, -9), np.tril(x, 9), np.tril(x, -9)


def test_steps():
    module = staticpy.jit(upper_and_lower).lower(np.ones((3, 4))).module
    made = with_triangles_in_steps(module)
    verify(made)
    names = [each.op.name for each in walk(made.main.block)]
    assert "triu" not in names
    assert names.count("where") == 2


def test_of_a_vector_it_stays_a_call():
    x = np.arange(3.0)
    module = staticpy.jit(upper_and_lower).lower(x).module
    assert with_triangles_in_steps(module) is module
    for found, expected in zip(staticpy.jit(upper_and_lower)(x), upper_and_lower(x), strict=True):
        np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("function", [upper_and_lower, beside_the_diagonal, far_away])
@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float32", "c16", "f8"])
def test_results_are_numpys(function, dtype):
    call = staticpy.jit(function)
    for shape in SHAPES:
        numbers = (np.random.default_rng(0).normal(size=shape) * 9).astype(np.int8)
        for x in layouts(numbers.astype(dtype)):
            for found, expected in zip(call(x), function(x), strict=True):
                assert details(found) == details(expected)


def test_of_bools():
    call = staticpy.jit(upper_and_lower)
    for x in layouts(np.random.default_rng(0).normal(size=(5, 7)) > 0):
        for found, expected in zip(call(x), upper_and_lower(x), strict=True):
            assert details(found) == details(expected)


def test_derivatives():
    def loss(x):
        return (np.triu(x, 1) ** 2).sum() + np.tril(x).sum()

    x = np.random.default_rng(0).normal(size=(4, 5))
    expected = np.triu(x, 1) * 2 + np.tril(np.ones_like(x))
    np.testing.assert_array_equal(staticpy.jit(staticpy.grad(loss))(x), expected)
