"""Arrays whose elements are no neighbours, in loops over them."""

from __future__ import annotations

import ctypes
import mmap
import sys

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


STEPS = [2, 3, 4, 5, -1, -2]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.int64])
@pytest.mark.parametrize("step", STEPS)
def test_rows_of_any_length(step, dtype):
    """A line of the cache at a time, and nothing behind the last element."""
    compiled = staticpy.jit(affine, backend="llvm")
    for length in (0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 65):
        x = np.arange(3 * abs(step) * max(length, 1)).reshape(3, -1).astype(dtype)[:, ::step]
        assert_same(compiled(x[:, :length]), affine(x[:, :length]))


@pytest.mark.skipif(sys.platform != "linux", reason="pages are protected as Linux does it")
@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_read_beyond_an_array(step):
    """A page that nobody may read stands before its first element, and behind its last."""
    page, memory = mmap.PAGESIZE, mmap.mmap(-1, 3 * mmap.PAGESIZE)
    whole = np.frombuffer(memory, np.uint8)
    protect = ctypes.CDLL(None).mprotect
    ends = [ctypes.c_void_p(whole.ctypes.data + place * page) for place in (0, 2)]
    compiled = staticpy.jit(affine, backend="llvm")
    compiled(array(np.float64)[:, ::step])
    for end in ends:
        assert protect(end, page, 0) == 0
    try:
        for size in (1, 2, 15, 16, 17, 64, 101):
            x = whole[page : 2 * page].view(np.float32)
            x = x[-((size - 1) * abs(step) + 1) :: abs(step)][:: 1 if step > 0 else -1]
            assert_same(compiled(x[None]), affine(x[None]))
            x = whole[page : 2 * page].view(np.float32)[:: abs(step)][:size]
            x = x[:: 1 if step > 0 else -1]
            assert_same(compiled(x[None]), affine(x[None]))
    finally:
        for end in ends:
            protect(end, page, mmap.PROT_READ | mmap.PROT_WRITE)


def blended(x, y):
    return x * 2 + y, (x + y).astype(np.float32)


def added(x, y):
    x += y


@pytest.fixture(params=[1, 2])
def threads(request):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(request.param)
    yield request.param
    staticpy.set_num_threads(before)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("shape", [(1501, 700), (3, 400_000), (40_000, 3)])
def test_what_the_cache_does_not_hold(shape, step, threads):
    """Copies are made in parts, of which each has some rows; or some columns, where there is one
    long row.
    """
    rows, columns = shape
    memory = np.random.default_rng(1).normal(size=(rows, columns * abs(step)))
    x, y = memory[:, ::step], np.repeat(memory[:, :columns], 2, axis=1)[:, ::2]
    assert_same(staticpy.jit(blended, backend="llvm")(x, y), blended(x, y))
    expected = memory.copy()
    added(expected[:, ::step], y)
    staticpy.jit(added, backend="llvm")(x, y)
    assert np.array_equal(memory, expected)


@pytest.fixture
def asked(monkeypatch):
    """The sizes of memory that walks have asked for, of which they get none."""
    sizes = []

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)
    def refuse(size):
        sizes.append(size)

    capi = pytest.importorskip("staticpy.backends.llvm.capi")
    parts = pytest.importorskip("staticpy.backends.llvm.parts")
    address = ctypes.cast(refuse, ctypes.c_void_p).value
    monkeypatch.setitem(capi.addresses(), "malloc", address)
    refusing = parts.compiled.__wrapped__()
    monkeypatch.setitem(capi._provided, "parts.run", lambda: refusing.address("run"))
    yield sizes
    del refuse  # which has been called until now


def test_without_memory(asked):
    """The kernels are called one by one."""
    compiled = staticpy.jit(affine, backend="llvm")
    x = array(np.float64)
    assert_same(compiled(x), affine(x))
    assert not asked
    assert_same(compiled(x[:, ::2]), affine(x[:, ::2]))
    assert asked == [8 * 10 * 8 + 1]


def test_without_memory_for_parts(asked):
    """Others may have written already: each takes some of its stack."""
    compiled = staticpy.jit(affine, backend="llvm")
    x = np.arange(4_000_000.0).reshape(1000, 4000)[:, ::2]
    assert_same(compiled(x), affine(x))
    assert set(asked) == {160 << 10}
