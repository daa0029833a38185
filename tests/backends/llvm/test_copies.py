"""``x.copy()`` and ``np.zeros_like(x)`` in native code: the elements, and how they lie."""

from __future__ import annotations

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
