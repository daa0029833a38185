"""``np.outer`` and the method ``outer`` of functions, in loops with what is computed of them."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import walk
from staticpy.passes import with_outer_products_in_steps
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def names(function, *args):
    lowered = staticpy.jit(function, backend="llvm").lower(*args)
    return [each.op.name for each in walk(with_outer_products_in_steps(lowered.module).main.block)]


def assert_same(function, *args):
    found, expected = staticpy.jit(function, backend="llvm")(*args), function(*args)
    pair = [each if isinstance(each, tuple) else (each,) for each in (found, expected)]
    for one, other in zip(*pair, strict=True):
        assert details(one) == details(other)


def products(a, b):
    return np.outer(a, b)


def sums(a, b):
    return np.add.outer(a, b)


def outer(a, b):
    return np.outer(a, b), np.outer(a, b) + np.outer(b, b)[:1], (np.outer(a, b) * 2).sum(axis=1)


def of_functions(a, b):
    return (
        np.add.outer(a, b),
        np.multiply.outer(a, b) * 2,
        np.maximum.outer(a, b).sum(),
        np.less.outer(a, b),
    )


DTYPES = ["float64", "float32", "int64", "uint8", "bool", "complex128"]


@pytest.mark.parametrize("other", ["float64", "int8", "bool"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors(dtype, other):
    for rows, columns in [(3, 4), (1, 1), (0, 3), (3, 0), (40, 700)]:
        a, b = (np.arange(n * 2.0)[::2] - n for n in (rows, columns))
        a, b = a.astype(dtype), b.astype(other)
        assert_same(products, a, b)
        assert_same(of_functions if rows and columns else sums, a, b)
        if rows and columns:
            assert_same(outer, a[::-1], b)


def test_several_axes():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(20.0).reshape(4, 5)
    for one in (a, a.T, np.asfortranarray(a), a[::-1]):
        for other in (b, b.T, b[0]):
            assert_same(lambda a, b: (np.subtract.outer(a, b), np.add.outer(b, a) * 2), one, other)
            assert_same(products, one, other)


def test_the_steps():
    a, b = np.ones(3), np.ones((2, 2))
    assert "outer" not in names(products, a, a)
    assert "ufunc.method" not in names(sums, a, b)
    assert "outer" in names(products, a, b)
    assert "ufunc.method" in names(lambda a, b: np.add.outer(a, b, dtype=np.float32), a, b)
    assert_same(lambda a, b: np.add.outer(a, b, dtype=np.float32), a, b)


def test_functions_of_two_results_stay_calls():
    a, b = np.array([7, -7, 5]), np.array([2, 3])
    assert_same(lambda a, b: (*np.divmod.outer(a, b), np.divmod.outer(a / 2, b)[1] * 2), a, b)


def test_what_is_divided_by_zero_warns():
    a = np.array([1.0, 0.0])
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        staticpy.jit(lambda a: np.divide.outer(a, a), backend="llvm")(a)
