"""``x.copy()`` and ``np.zeros_like(x)`` in native code: the elements, and how they lie."""

from __future__ import annotations

import re

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def copies(x):
    return x.copy(), x.copy("F"), x.copy("K"), x.copy("A"), np.copy(x)


def zeros(x):
    others = np.zeros_like(x, np.float32), np.zeros_like(x, shape=(2, 3))
    return np.zeros_like(x), np.zeros_like(x, order="C"), np.zeros_like(x, order="F"), *others


LAYOUTS = {
    "rows": lambda x: x,
    "columns": np.asfortranarray,
    "turned": lambda x: x.T,
    "steps": lambda x: x[::2],
    "backwards": lambda x: x[..., ::-1],
    "stretched": lambda x: np.broadcast_to(x[:1], x.shape),
}


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 5), (1, 4), (4, 1), (0, 3), (2, 3, 4)])
@pytest.mark.parametrize("dtype", [np.float64, np.int8, bool, np.complex64])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [copies, zeros])
def test_as_numpy(function, layout, dtype, shape):
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    if shape:
        x = LAYOUTS[layout](x)
    native = staticpy.jit(function, backend="llvm")
    for found, expected in zip(native(x), function(x), strict=True):
        np.testing.assert_array_equal(found, expected, strict=True)
        assert found.strides == expected.strides
        assert found.flags.owndata
        assert not np.shares_memory(found, x)


def of_a_view(x):
    y = x[1:, ::2].copy()
    y[0] = 7
    return x, y, y.T.copy()


def test_views():
    x = np.arange(12.0).reshape(3, 4)
    for found, expected in zip(
        staticpy.jit(of_a_view, backend="llvm")(x.copy()), of_a_view(x.copy()), strict=True
    ):
        np.testing.assert_array_equal(found, expected, strict=True)
        assert found.strides == expected.strides


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32, np.complex128])
def test_zeros_of_any_shape(dtype):
    def made(n, m):
        return np.zeros((n, 2, m + 1), dtype), np.zeros(n, dtype), np.zeros((m, 3), dtype, "F")

    compiled = staticpy.jit(made, backend="llvm")
    for sizes in ((3, 4), (0, 4), (1, 0), (300, 400)):
        for _ in range(2):  # the second time of memory that the first has left
            for found, expected in zip(compiled(*sizes), made(*sizes), strict=True):
                assert (found.dtype, found.strides) == (expected.dtype, expected.strides)
                np.testing.assert_array_equal(found, expected)
                found[...] = 1


@pytest.mark.parametrize("size", [-1, -(2**62), 2**62, 2**31])
def test_zeros_that_cannot_be_made(size):
    def made(n):
        return np.zeros((n, n))

    compiled = staticpy.jit(made, backend="llvm")
    with pytest.raises((ValueError, MemoryError)) as expected:
        made(size)
    with pytest.raises(expected.type, match=re.escape(str(expected.value))):
        compiled(size)


# --- np.empty -------------------------------------------------------------------------------------


def left_behind(size):
    """Memory that large arrays of ones leave for the next ones."""
    return sum((np.ones(size) * k).sum() for k in range(6))


def doubled(x):
    out = np.empty(2 * len(x), dtype=x.dtype)
    for i in range(len(x)):
        out[2 * i] = x[i]
        out[2 * i + 1] = x[i] + x[i]
    return out


def doubled_like(x):
    out = np.empty_like(x)
    out[...] = 0
    for i in range(len(x)):
        out[i] += x[i] + x[i]
    return out


def running(x):
    out = np.empty(len(x) + 1, dtype=x.dtype)
    out[0] = 0
    for i in range(len(x)):
        out[i + 1] = out[i] + x[i]
    return out


def first_few(x):
    out = np.empty((len(x), 3), dtype=x.dtype)
    count = 0
    for i in range(len(x)):
        if i % 2 == 0:
            for k in range(3):
                out[count, k] = x[i]
            count += 1
    return out[:count].copy()


@pytest.mark.parametrize("size", [0, 1, 5, 20_000])
@pytest.mark.parametrize("dtype", [np.float64, np.int32, bool, np.complex128])
@pytest.mark.parametrize("plain", [doubled, doubled_like, running, first_few])
@pytest.mark.parametrize("backend", ["llvm", "python_source"])
def test_what_is_written_to_an_empty_array_is_all_that_is_seen(plain, dtype, size, backend):
    native, x = staticpy.jit(plain, backend=backend), np.arange(size).astype(dtype)
    for _ in range(3):
        staticpy.jit(left_behind, backend="llvm")(2 * size)
        found, expected = native(x), plain(x)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_bools_of_an_empty_array_are_bools():
    @staticpy.jit(backend="llvm")
    def made(n):
        return np.empty(n, dtype=bool), np.empty_like(np.ones(n, dtype=bool))

    for _ in range(3):
        staticpy.jit(left_behind, backend="llvm")(25_000)
        for found in made(200_000):
            assert set(found.view(np.uint8).tolist()) <= {0, 1}


def weighed(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = x[i] * x[i] * i
    return out.sum()


def test_derivatives_of_what_is_written_to_an_empty_array():
    x = np.arange(20_000.0)
    of_native = staticpy.grad(staticpy.jit(weighed, backend="llvm"))
    for _ in range(3):
        staticpy.jit(left_behind, backend="llvm")(len(x))
        np.testing.assert_array_equal(of_native(x), 2 * x * x)
