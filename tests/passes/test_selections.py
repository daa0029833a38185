"""``np.select`` in steps, for backends that make loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_selections_in_steps
from tests.backends.llvm.test_loops import details


def of_arrays(x):
    return np.select([x < -1, x < 0, x < 1], [x * 2, x * x, -x], 0.0)


def without_a_default(x):
    return np.select((x < -1, x < 0), (x, x + 1))


def of_numbers_too(x):
    return np.select([x < 0, x > 1], [x, 0.1], 2) * 2


def of_two_dtypes(x):
    return np.select([x < 0, x > 0], [x, np.arange(x.size).reshape(x.shape)], x.dtype.type(7))


def of_numbers_alone(x):
    return np.select([x < 0], [1.0], 2.0)


def of_other_sizes(x):
    return np.select([x < 0, x[:1] > 0], [x, 1.0], 2)


def names_of(module):
    return [each.op.name for each in walk(module.main.block)]


@pytest.mark.parametrize("function", [of_arrays, without_a_default, of_numbers_too, of_two_dtypes])
def test_steps(function):
    made = with_selections_in_steps(staticpy.jit(function).lower(np.ones((3, 4))).module)
    verify(made)
    assert "numpy.call" not in names_of(made)
    assert names_of(made).count("store") == 1


@pytest.mark.parametrize("function", [of_numbers_alone, of_other_sizes])
def test_what_stays_a_call(function):
    module = staticpy.jit(function).lower(np.ones((3, 4))).module
    assert with_selections_in_steps(module) is module


@pytest.mark.parametrize(
    "function",
    [
        *(of_arrays, without_a_default, of_numbers_too),
        *(of_two_dtypes, of_numbers_alone, of_other_sizes),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int8"])
def test_results_are_numpys(function, dtype):
    native = staticpy.jit(function)
    for shape in ((3, 4), (1, 1), (0, 3), (2, 3, 4), (100, 80)):
        x = (np.random.default_rng(0).standard_normal(shape) * 3).astype(dtype)
        for each in (x, np.asfortranarray(x), x[::-1], np.concatenate([x, x], -1)[..., ::2]):
            assert details(native(each)) == details(function(each))


def test_derivatives():
    def loss(x):
        return np.select([x < 0, x < 1], [x * x, 3 * x], 1.0).sum()

    x = np.array([-2.0, 0.5, 4.0])
    np.testing.assert_array_equal(staticpy.jit(staticpy.grad(loss))(x), [-4, 3, 0])


def test_the_sizes_are_those_of_arguments():
    kernels = staticpy.jit(of_arrays, backend="llvm").lower(np.ones(9)).compile().kernels
    assert len(kernels) == 1
