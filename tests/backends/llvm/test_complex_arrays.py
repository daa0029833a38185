"""Arrays of complex numbers in fused loops: NumPy's bits, layouts, warnings and order of sums."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

import staticpy
from tests.support.direct import frames_of, warm

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

DTYPES = [np.complex64, np.complex128]
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 63, 64, 65, 66, 71, 73, 128, 129, 200, 1023)
"""Below and above the blocks in which NumPy sums complex numbers, of 64, and vectors with rests."""

PARTS = (0.0, -0.0, 1.0, -2.5, 1e-310, 3e200, np.inf, -np.inf, np.nan)


def arithmetic(z, w):
    return z * z + w, z * w, z - w, -z, z == w, z != w, np.conj(z), z.conj() * w


def with_numbers(z, w):
    return z * w[0] + 2, z - 1j, w[0] * z, z * 0.5


def with_real(z, x):
    return z * x + x, x * z, x - z


def squares(z):
    return z**2, np.square(z) - z


def step(z, c, x):
    return np.where(x < 2, z * z + c, z)


def inner(a, b):
    return (a * np.conj(b)).sum()


def sums(a):
    return a.sum(axis=-1), a.sum(axis=0), a.sum()


def two_kinds_of_sums(a, b):
    return (a * b).sum(axis=-1), (a.real * b.imag).sum(axis=-1)


def centered(a):
    return a - a.sum(axis=-1, keepdims=True) * 0.1


def widened(x):
    return x.astype(np.complex128) * 1j, x.astype(np.complex64)


def written(a, b):
    a[...] = a * b
    a += b
    a -= b * b
    a[1:] = 2.5
    a[:1] = 3j
    return a


def multiplied_in_place(a, b):
    a *= b
    return a


def parts(z):
    return z.real, z.T.imag, z.real**2 + z.imag**2


def parts_written(z, w):
    z.real = 3.0
    z.imag[...] = w.real * 2
    z.real += 1
    return z


def quotients(z, w):
    return z / w, 1 / w, z / w[0] + 2, z / 3


def absolutes(z, w):
    return np.abs(z), abs(z * w) + 1, z / np.abs(w), np.abs(z).sum(axis=-1)


def means(z, w):
    return z.mean(axis=-1), np.mean(z * w), z.mean(axis=0), (z - z.mean(axis=0)) / w


def divided_in_place(z, w):
    z /= w
    z[1:] /= 2 - 1j
    return z


def native(function):
    return staticpy.jit(function, backend="llvm")


def outcome(function, *args):
    """What a call gives and has written, its layout and its warnings; NaNs are alike."""
    given = [arg.copy() if arg.flags.c_contiguous else arg for arg in args]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*given)
    results = result if isinstance(result, tuple) else (result,)
    return [details(each) for each in (*results, *given)], sorted(str(w.message) for w in caught)


def details(value):
    array = np.array(value)
    if array.dtype.kind == "c":
        parts = array.real, array.imag
        array = np.stack([np.where(np.isnan(part), np.nan, part) for part in parts])
    return type(value), value.dtype, value.shape, value.strides, array.tobytes()


def numbers(*shape, dtype):
    random = np.random.default_rng(sum(shape))
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)


def stretched(z, w):
    yield z, w
    yield z[::-1], w[:1]
    yield z[..., ::-1], w.T.copy().T
    yield z[:, ::2], w[:, 1::2]
    yield z.T, w.T


def special(dtype, seed):
    """Zeros, infinities, NaNs and what over- and underflows, in some order."""
    with np.errstate(all="ignore"):
        pairs = [complex(*pair) for pair in itertools.product(PARTS, PARTS)]
        return np.random.default_rng(seed).permutation(np.array(pairs).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [arithmetic, inner, written, multiplied_in_place])
def test_two_arrays(function, dtype):
    call = native(function)
    for n in SIZES[0 if function is not written else 1 :]:
        x, y = (numbers(n, k, dtype=dtype)[:, 0].copy() for k in (1, 2))
        wide = numbers(2 * n, dtype=dtype)
        for pair in ((x, y), (wide[::2], y), (y, wide[1::2]), (wide[:n][::-1], y), (y, x[::-1])):
            left, right = pair
            again = [(left.copy(), right), (left.copy(), right)]
            assert outcome(call, *again[0]) == outcome(function, *again[1]), n


@pytest.mark.parametrize("dtype", DTYPES)
def test_stretched_and_transposed(dtype):
    call = native(arithmetic)
    for n, m in itertools.product((1, 2, 5, 65), repeat=2):
        x, row = numbers(n, m, dtype=dtype), numbers(1, m, dtype=dtype)
        column, other = numbers(n, 1, dtype=dtype), numbers(m, n, dtype=dtype)
        for pair in ((x, row), (column, x), (column, row), (x, other.T), (other.T, other.T)):
            assert outcome(call, *pair) == outcome(arithmetic, *pair), (n, m)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_and_real_arrays(dtype):
    calls = [native(each) for each in (with_numbers, with_real, squares, step)]
    for n in SIZES[1:]:
        z, w = numbers(n, dtype=dtype), numbers(n + 1, dtype=dtype)
        x = abs(z)
        assert outcome(calls[0], z, w) == outcome(with_numbers, z, w)
        assert outcome(calls[1], z, x) == outcome(with_real, z, x)
        assert outcome(calls[2], z) == outcome(squares, z)
        assert outcome(calls[3], z, w[1:], x) == outcome(step, z, w[1:], x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [sums, centered])
def test_rows(function, dtype):
    call = native(function)
    for shape in itertools.product((0, 1, 2, 3, 5, 64, 65, 200), repeat=2):
        x = numbers(*shape, dtype=dtype)
        for each in (x, x[:, ::2], x[::-1], numbers(*shape, 1, dtype=dtype)[..., 0], x.T):
            assert outcome(call, each) == outcome(function, each), shape


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_complex_and_of_real_numbers(dtype):
    call = native(two_kinds_of_sums)
    for n in SIZES:
        pair = numbers(3, n, dtype=dtype), numbers(3, n, dtype=dtype)[::-1].copy()
        assert outcome(call, *pair) == outcome(two_kinds_of_sums, *pair), n


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [arithmetic, with_numbers, inner, multiplied_in_place])
def test_special_numbers(function, dtype):
    call = native(function)
    for seed in range(20):
        pair = special(dtype, seed), special(dtype, seed + 1)
        assert outcome(call, *pair) == outcome(function, *pair), seed
        for start in range(0, len(pair[0]), 7):  # each with the warnings of a few
            few = [each[start : start + 7].copy() for each in pair]
            assert outcome(call, *few) == outcome(function, *few), (seed, start)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.uint64, np.float32, np.float64])
def test_casts(dtype):
    call = native(widened)
    for n in SIZES:
        x = (numbers(n, dtype=np.complex128).real * 100).astype(np.int64).astype(dtype)
        assert outcome(call, x) == outcome(widened, x), n


def test_long_loops():
    """On several threads, and copied where rows have gaps."""
    z, w = (numbers(300, 1000, dtype=np.complex128) for _ in range(2))
    for pair in ((z, w), (z[:, ::2], w[:, 1::2])):
        assert outcome(native(arithmetic), *pair) == outcome(arithmetic, *pair)
        assert outcome(native(sums), pair[0]) == outcome(sums, pair[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_parts_are_views(dtype):
    call, write = native(parts), native(parts_written)
    for shape in ((0,), (1,), (5,), (4, 70), (2, 3, 4)):
        z, w = numbers(*shape, dtype=dtype), numbers(*shape[::-1], dtype=dtype).T
        for each in (z, z[..., ::2], z[::-1]):
            assert outcome(call, each) == outcome(parts, each), shape
            assert all(np.shares_memory(part, each) == (each.size > 0) for part in call(each)[:2])
        assert outcome(write, z, w) == outcome(parts_written, z, w), shape


def test_parts_of_what_is_read_only():
    z = numbers(5, dtype=np.complex128)
    z.flags.writeable = False
    assert not any(part.flags.writeable for part in native(parts)(z)[:2])


@pytest.mark.parametrize("function", [arithmetic, inner])
def test_no_python_runs(function):
    z, w = numbers(10, dtype=np.complex128), numbers(10, 1, dtype=np.complex128)[:, 0]
    assert frames_of(warm(function, z, w), z, w) == []


# --- quotients, absolute values, means ------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [quotients, absolutes, means])
def test_layouts(function, dtype):
    call = native(function)
    for n, m in itertools.product((1, 2, 7, 65), (2, 8, 18, 130)):
        for z, w in stretched(numbers(n, m, dtype=dtype), numbers(m, n, dtype=dtype).T.copy()):
            if z.shape == w.shape or len(w) == 1:
                assert outcome(call, z, w) == outcome(function, z, w), (n, m)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [quotients, absolutes, means, divided_in_place])
def test_special_parts(function, dtype):
    """Each pair of numbers by itself, with its warnings: after a write nothing can hide a flag that
    the loops raise and NumPy doesn't.
    """
    call, parts = native(function), (0.0, -0.0, 1.0, 1e-310, 3e200, np.inf, np.nan, 1.7e308)
    with np.errstate(all="ignore"):
        pairs = [complex(*pair) for pair in itertools.product(parts, parts)]
        known = np.array(pairs).astype(dtype)
    for z, w in itertools.product(known[::3], known):
        given = np.full((2, 9), z), np.full((2, 9), w)
        assert kinds(outcome(call, *given)) == kinds(outcome(function, *given)), (z, w)
    for seed in range(9):
        z, w = (special(dtype, seed + k)[:80].reshape(4, 20).copy() for k in range(2))
        assert kinds(outcome(call, z, w)) == kinds(outcome(function, z, w)), seed


def kinds(result):
    """What is warned of, without the operation that a warning after a write doesn't name."""
    values, texts = result
    return values, sorted({text.split(" encountered")[0] for text in texts})


@pytest.mark.parametrize("function", [quotients, absolutes, means, divided_in_place])
def test_no_python_runs_here(function):
    z, w = numbers(5, 10, dtype=np.complex128), numbers(10, 5, dtype=np.complex128).T.copy()
    assert frames_of(warm(function, z, w), z, w) == []
