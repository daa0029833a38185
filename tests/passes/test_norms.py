"""Norms in steps, for backends that make loops."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_norms_in_steps


def of_rows(x):
    return np.linalg.norm(x, axis=1)


def of_columns(x):
    return np.linalg.norm(x, axis=-2, keepdims=True)


def of_matrices(x):
    return np.linalg.norm(x, axis=(0, 1))


def of_all(x):
    return np.linalg.norm(x)


def of_one(x):
    return np.linalg.norm(x[0])


def by_order(x):
    return np.linalg.norm(x, 1, axis=1)


def kept(x):
    return np.linalg.norm(x, keepdims=True)


def names_in_steps(function, x):
    module = staticpy.jit(function).lower(x).module
    made = with_norms_in_steps(module)
    verify(made)
    names = [each.op.name for each in walk(made.main.block)][:-1]
    assert (made is module) == ("numpy.call" in names)
    return [name for name in names if name not in ("constant", "index")]


def test_steps():
    x = np.ones((3, 4))
    for function in (of_rows, of_columns, of_matrices):
        assert names_in_steps(function, x) == ["multiply", "sum", "sqrt"]
    assert names_in_steps(of_all, x) == ["ravel", "dot", "sqrt"]
    assert names_in_steps(of_one, x) == ["dot", "sqrt"]


def test_what_numpy_computes_in_another_way_stays_a_call():
    x = np.ones((3, 4))
    assert names_in_steps(by_order, x) == names_in_steps(kept, x) == ["numpy.call"]
    for dtype in (np.int64, np.complex128, np.float16):
        assert names_in_steps(of_rows, x.astype(dtype)) == ["numpy.call"]


@pytest.mark.parametrize("function", [of_rows, of_columns, of_matrices, of_all, of_one])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_are_numpys(function, dtype):
    """Bit for bit, but for products of vectors with gaps, which NumPy copies before."""
    compiled = staticpy.jit(function)
    for shape in ((7, 40), (1, 3), (300, 2), (3, 0), (1, 1)):
        x = np.random.default_rng(0).normal(size=shape).astype(dtype)
        for given in (x, np.asfortranarray(x), x[:, ::-1], np.full_like(x, 1e30), x * np.inf):
            with warnings.catch_warnings(record=True) as expected:
                warnings.simplefilter("always")
                wanted = function(given)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = compiled(given)
            assert type(found) is type(wanted)
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
            if function in (of_rows, of_columns, of_matrices) or given is x:
                assert found.tobytes() == wanted.tobytes()
            np.testing.assert_allclose(found, wanted, rtol=1e-6)
            assert {each.category for each in caught} == {each.category for each in expected}


def test_the_gradient_at_zero_stays_that_of_the_norm():
    slope = staticpy.jit(staticpy.grad(of_all))
    assert slope(np.zeros(3)).tolist() == [0.0, 0.0, 0.0]
