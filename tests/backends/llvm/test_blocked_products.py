"""Products by code of staticpy's own, also on processors where the BLAS is asked."""

from __future__ import annotations

import ctypes
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import blocked_products, capi, stacks

SIZES = [
    (8, 64, 5),
    (64, 64, 64),
    (9, 65, 30),
    (7, 33, 256),
    (70, 130, 257),
    (33, 100, 600),
    (4, 512, 512),
    (200, 65, 300),
    (65, 300, 100),
]
"""Rows, columns, and products of each element: whole tiles and others, one block and more, one
thread and several.
"""


@pytest.fixture(autouse=True)
def _own(monkeypatch):
    monkeypatch.setattr(blocked_products, "is_own", lambda: True)


def compiled():
    """A function of its own, compiled in the test."""
    return staticpy.jit(lambda a, b: a @ b, backend="llvm")


def turned(array):
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def with_wide_rows(array):
    wide = np.full((*array.shape[:-1], array.shape[-1] + 3), 9, array.dtype)
    wide[..., :-3] = array
    return wide[..., :-3]


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sizes", SIZES)
def test_sums_that_are_exact(sizes, dtype, rng):
    m, n, k = sizes
    a, b = (rng.integers(-9, 9, shape).astype(dtype) for shape in ((m, k), (k, n)))
    function = compiled()
    for left in (a, turned(a), with_wide_rows(a)):
        for right in (b, turned(b), with_wide_rows(b)):
            found = function(left, right)
            np.testing.assert_array_equal(found, a @ b)
            assert found.flags.c_contiguous


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_has_whole_tiles_is_not_left_to_the_blas(dtype, rng, monkeypatch):
    own = blocked_products._FUNCTIONS[np.dtype(dtype).name]
    matrix = (ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    rest = (ctypes.c_void_p, ctypes.c_void_p)
    type_ = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4, *matrix, *matrix, *rest)
    known, asked = type_(own.compile()), []

    @type_
    def product(*arguments):
        asked.append(arguments[:3])
        known(*arguments)

    address = ctypes.cast(product, ctypes.c_void_p).value
    monkeypatch.setitem(capi._provided, own.name, lambda: address)
    watched = stacks._compiled.__wrapped__()
    monkeypatch.setitem(capi._provided, stacks.STACK.name, lambda: watched.address("stack"))
    a, b = (rng.integers(-9, 9, (64, 64)).astype(dtype) for _ in range(2))
    np.testing.assert_array_equal(compiled()(a, b), a @ b)
    assert asked == [(64, 64, 64)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_that_are_rounded(dtype, rng):
    a, b = (rng.standard_normal(shape).astype(dtype) for shape in ((70, 1000), (1000, 150)))
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    bound = 1000 * np.finfo(dtype).eps * (abs(a).astype(float) @ abs(b).astype(float))
    assert (abs(compiled()(a, b) - exact) <= bound).all()
    assert (abs(compiled()(a, turned(b)) - exact) <= bound).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_stacks(rng, threads):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(threads)
    try:
        a, b = (rng.integers(-9, 9, shape).astype("f") for shape in ((3, 1, 40, 70), (5, 70, 70)))
        np.testing.assert_array_equal(compiled()(a, b), a @ b)
        np.testing.assert_array_equal(compiled()(a[:, 0], a[0, 0].T), a[:, 0] @ a[0, 0].T)
    finally:
        staticpy.set_num_threads(before)


@pytest.mark.parametrize("function", [compiled, lambda: np.matmul])
def test_only_what_is_computed_warns(function):
    a, b = np.ones((33, 300), "f"), np.ones((300, 65), "f")
    a[:2, :2] = np.inf, -np.inf
    b[:, 64] = np.arange(300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        b[0] = -b[0]  # infinities of one sign
        b[0, 64] = b[1, 64] = -1
        b[1] = abs(b[1])
        assert np.isinf(function()(a, b)[0, :64]).all()
    b[0] = abs(b[0])
    with pytest.warns(RuntimeWarning, match="invalid value"):
        assert np.isnan(function()(a, b)[0, 0])
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert np.isinf(function()(np.full_like(a, 3e38), abs(b))[0, 0])


def test_a_zero_has_no_sign():
    found = compiled()(np.full((8, 2), -0.0), np.ones((2, 64)))
    np.testing.assert_array_equal(np.signbit(found), False)
