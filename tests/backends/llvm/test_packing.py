"""Arrays whose elements are no neighbours, in loops over them."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

LAYOUTS = {
    "every other": lambda x: x[:, ::2],
    "backwards": lambda x: x[:, ::-1],
    "rows backwards": lambda x: x[::-2, 1:],
    "both": lambda x: x[::-1, ::-3],
    "one row again and again": lambda x: np.broadcast_to(x[:1, ::2], (7, 10)),
    "one number again and again": lambda x: np.broadcast_to(x[:, :1], (8, 20)),
    "nothing": lambda x: x[:, 20::2],
}


def affine(x):
    return x * x + x


def softened(x):
    e = (x - x.max(axis=-1, keepdims=True)) * x
    return e / (1 + abs(e).sum(axis=-1, keepdims=True)), e.mean(axis=-1)


def outer_sum(x):
    return x + x[:, :1] - x[0]


def signs(x):
    return x > 0


def array(dtype):
    numbers = np.random.default_rng(0).normal(size=(8, 20)) * 50
    return numbers.astype(dtype)


def assert_same(found, expected):
    found, expected = (each if isinstance(each, tuple) else (each,) for each in (found, expected))
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        assert one.strides == other.strides
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8, np.int64])
@pytest.mark.parametrize("function", [affine, outer_sum, signs])
def test_reads(function, dtype):
    compiled = staticpy.jit(function, backend="llvm")
    for layout in LAYOUTS.values():
        x = layout(array(dtype))
        assert_same(compiled(x), function(x))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_reductions(dtype):
    compiled = staticpy.jit(softened, backend="llvm")
    for name, layout in LAYOUTS.items():
        if name != "nothing":
            x = layout(array(dtype))
            assert_same(compiled(x), softened(x))


def overwritten(x, y):
    x[:, ::2] = y + y
    x[::-1, ::-3] += 1


def doubled(x):
    x += x
    x *= 3


@pytest.mark.parametrize("dtype", [np.float64, np.int16])
def test_writes(dtype):
    found, expected, y = array(dtype), array(dtype), array(dtype)[:, ::-2]
    staticpy.jit(overwritten, backend="llvm")(found, y)
    overwritten(expected, y)
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", ["every other", "backwards", "rows backwards", "both", "nothing"])
def test_writes_to_arguments(name):
    found, expected = array(np.float64), array(np.float64)
    staticpy.jit(doubled, backend="llvm")(LAYOUTS[name](found))
    doubled(LAYOUTS[name](expected))
    assert found.tobytes() == expected.tobytes()


def shifted(x, row):
    return x * row + 1


def test_of_no_rows_nothing_is_read():
    """NumPy gives arrays without elements steps of 0, as it does what is stretched; this one lies
    where no memory is.
    """
    nowhere = (ctypes.c_char * 0).from_address(4096)
    empty = np.ndarray((0, 4), np.float64, nowhere, strides=(0, 0))
    row = np.ones(4)
    assert_same(staticpy.jit(shifted, backend="llvm")(empty, row), shifted(empty, row))


def test_without_memory(monkeypatch):
    """The kernels are called one by one."""
    asked = []

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)
    def refuse(size):
        asked.append(size)

    capi = pytest.importorskip("staticpy.backends.llvm.capi")
    parts = pytest.importorskip("staticpy.backends.llvm.parts")
    compiled = staticpy.jit(affine, backend="llvm")
    x = array(np.float64)
    known = parts.compiled().address("run")
    address = ctypes.cast(refuse, ctypes.c_void_p).value
    monkeypatch.setitem(capi.addresses(), "malloc", address)
    refusing = parts.compiled.__wrapped__()
    parts.RUN.set(refusing.address("run"))
    try:
        assert_same(compiled(x), affine(x))
        assert not asked
        assert_same(compiled(x[:, ::2]), affine(x[:, ::2]))
        assert asked == [8 * 10 * 8 + 1]
    finally:
        parts.RUN.set(known)
