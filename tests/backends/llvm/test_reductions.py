"""Reductions in loops: over each choice of axes, in NumPy's order, of every dtype."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest

import staticpy
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

FLOATS = ["float32", "float64"]
INTEGERS = ["bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]
SHAPES = [(3, 5, 7), (2, 3, 200), (1, 1, 9), (4, 1, 300), (300, 4, 1), (1, 2, 1), (2, 0, 3)]
AXES = [None, *[axes for n in (1, 2, 3) for axes in combinations(range(3), n)], (-1,), (2, 0)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def numbers(shape, dtype):
    drawn = np.random.default_rng(sum(shape)).standard_normal(shape) * 3
    return (drawn > 0 if dtype == "bool" else drawn).astype(dtype)


def layouts(x):
    yield x
    yield np.asfortranarray(x)
    yield x[::-1, :, ::-1]
    yield np.concatenate([x, x], axis=2)[:, :, ::2]
    yield np.concatenate([x, x], axis=1)[:, : x.shape[1]]
    yield np.broadcast_to(x[:1], x.shape)


def outcome(function, *arguments):
    """What a call gives or raises, in all detail, and what it warns of."""
    results, caught = with_warnings(function, *arguments, raises=ValueError)
    if isinstance(results, ValueError):
        return str(results)
    details = [
        (type(each), each.dtype, each.shape, getattr(each, "strides", ()), each.tobytes())
        for each in results
    ]
    return details, {each.category for each in caught}


def reduced(axis, keepdims=False):
    """Reductions of an argument, and of what is computed from it."""

    def sums(x):
        y = x + x
        kept = y.sum(axis=axis, keepdims=keepdims), y.mean(axis=axis, keepdims=keepdims)
        return x.sum(axis=axis), x.mean(axis=axis), *kept

    def others(x):
        y = x * x
        logic = (y > x).any(axis=axis), y.all(axis=axis, keepdims=keepdims)
        return x.prod(axis=axis), y.prod(axis=axis, keepdims=keepdims), *logic

    def extrema(x):
        y = x + x
        kept = y.max(axis=axis, keepdims=keepdims), y.min(axis=axis, keepdims=keepdims)
        return x.max(axis=axis), x.min(axis=axis), *kept

    return sums, others, extrema


@pytest.mark.parametrize("dtype", ["float64", "int32"])
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_axes(axis, dtype):
    for function in reduced(axis, keepdims=True):
        compiled = native(function)
        for shape in SHAPES:
            for x in layouts(numbers(shape, dtype)):
                assert outcome(compiled, x) == outcome(function, x)


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_dtypes(axis, dtype):
    for function in reduced(axis):
        compiled = native(function)
        for shape in ((40, 300), (9, 8), (1, 3), (5, 1), (0, 3), (3, 0)):
            x = numbers(shape, dtype)
            assert outcome(compiled, x) == outcome(function, x)


def stretched(x, row, column):
    z = (x - row) * column
    return z.mean(), z.sum(), z.max(), z


def normalized(x):
    m = x.mean(axis=(1, 2), keepdims=True)
    d = x - m
    return (d / np.sqrt((d * d).mean(axis=(1, 2), keepdims=True) + 1e-5),)


def column_normalized(x):
    d = x - x.mean(axis=0)
    return (d / np.sqrt((d * d).mean(axis=0, keepdims=True) + 1e-5),)


def overwritten(x):
    y = x * 2
    s, m = y.sum(), y.max()
    x += y
    t = x.sum(axis=(1, 2))
    x -= x.mean()
    return s, m, t, x


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("function", [normalized, column_normalized, stretched, overwritten])
def test_what_is_around(function, dtype):
    compiled = native(function)
    for shape in ((3, 5, 7), (2, 30, 200), (1, 2, 1)):
        x = numbers(shape, dtype)
        for found, expected in list(zip(layouts(x.copy()), layouts(x.copy()), strict=True))[:5]:
            more = (x[0, 0], x[:, :, :1]) if function is stretched else ()
            assert outcome(compiled, found, *more) == outcome(function, expected, *more)


def described(x):
    return x.min(), x.max(), x.mean(), x.std(), (x > 0).sum(), np.abs(x).max()


def rows_described(x):
    y = x * 2
    return y.sum(axis=-1), y.max(axis=-1), x.sum(axis=0), x.sum(axis=(0, -1)), x.min()


def written_and_described(x):
    y = x + 1
    return y, y.sum(axis=-1), y.min(axis=-1)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("function", [described, rows_described, written_and_described])
def test_sums_beside_others(function, dtype):
    """A walk of their own."""
    compiled = native(function)
    for shape in ((3, 5, 7), (2, 3, 200), (40, 1, 9)):
        for x in layouts(numbers(shape, dtype)):
            assert outcome(compiled, x) == outcome(function, x)


def test_many_columns_on_several_threads():
    x = numbers((1000, 2000), "float64")
    for function in reduced(0):
        assert outcome(native(function), x) == outcome(function, x)


def test_floats_at_odd_addresses():
    x = np.ndarray((2, 20000), np.float64, bytearray(8 * 40000 + 1), offset=1)
    x[...] = numbers(x.shape, "float64")
    assert not x.flags.aligned
    for axis in (None, 0, 1):
        sums = reduced(axis)[0]
        assert outcome(native(sums), x) == outcome(sums, x)


def test_integers_beyond_the_doubles():
    x = np.full(3, 2**53 + 1)
    for function in (*reduced(0), *reduced(None)):
        assert outcome(native(function), x) == outcome(function, x)


def of_unknown_lengths(m, n):
    columns, row = np.ogrid[0:m, 0:1:3j]
    others, _ = np.ogrid[:m, :n]
    return columns + row, (others % 2 == 0) & (columns > 0)


def sums_of_unknown_lengths(m, n):
    columns, row = np.ogrid[0:m, 0:1:3j]
    others, _ = np.ogrid[:m, :n]
    return columns + row, (others * columns).sum(axis=-1), (others + columns).prod(axis=0)


@pytest.mark.parametrize("m", [0, 1, 2, 5])
@pytest.mark.parametrize("function", [of_unknown_lengths, sums_of_unknown_lengths])
def test_what_is_shorter_than_other_arrays_of_a_loop(function, m):
    """The graph knows no sizes here: there are 3 columns, or 1."""
    compiled = staticpy.jit(function, backend="llvm")
    for found, expected in zip(compiled(m, 2), function(m, 2), strict=True):
        np.testing.assert_array_equal(found, expected, strict=True)


def beside_a_sum(x, mask, n):
    made = np.zeros(n)
    return made + x[mask].sum(), (x[mask] * 2.0).mean() - made, made * x[mask].sum(keepdims=True)


def beside_sums_of_rows(x, mask, n):
    made = np.zeros((n, n))
    chosen = x[mask]
    return made + chosen.sum(axis=1).sum(), chosen - chosen.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_sums_of_what_is_shorter_than_other_arrays_of_a_loop(count, n):
    """Of the sizes of both the graph knows nothing."""
    mask = np.arange(3) < count
    for function, x in ((beside_a_sum, np.arange(3.0)), (beside_sums_of_rows, np.ones((3, 3)))):
        compiled = staticpy.jit(function, backend="llvm")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pairs = zip(compiled(x, mask, n), function(x, mask, n), strict=True)
        for found, expected in pairs:
            np.testing.assert_array_equal(found, expected, strict=True)


def moments(x):
    centred = x - np.mean(x, axis=1, keepdims=True)
    return np.sum(x, axis=1), centred, np.mean(centred * centred, axis=1), np.max(centred, axis=1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_of_rows_of_every_length(dtype):
    """Two blocks are summed side by side, where both halves are no longer than one."""
    native = staticpy.jit(moments, backend="llvm")
    random = np.random.default_rng(0)
    for size in (*range(1, 42), *range(120, 300), 383, 512, 513, 1024, 1031, 4099):
        scale = 10 ** random.uniform(-3, 3, (3, size))
        x = (random.standard_normal((3, size)) * scale).astype(dtype)
        for found, expected in zip(native(x), moments(x), strict=True):
            assert found.tobytes() == expected.tobytes(), size


def logarithms(x):
    terms = np.log(x)
    products = np.tanh(x) * x
    return terms, products, np.log(x).sum(axis=1), (np.tanh(x) * x).mean(axis=1), terms.sum(axis=0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_of_functions_of_rows_of_every_length(dtype):
    """What is left of a row is computed as a vector, and added in order. What lies behind the row
    raises no flag: it has no logarithm.
    """
    random = np.random.default_rng(0)
    for size in (*range(1, 42), *range(120, 140), 255, 256, 257, 512, 1031):
        x = np.full((3, size + 40), -1.0, dtype)[:, :size]
        x[...] = random.uniform(0.1, 9, x.shape)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            terms, products, *found = native(logarithms)(x)
        expected = terms.sum(axis=1), products.mean(axis=1), terms.sum(axis=0)
        for each, sums in zip(found, expected, strict=True):
            assert each.tobytes() == sums.tobytes(), size


def of_whom_the_size_is_read(x):
    total = np.stack((x, x)).sum(axis=0)
    return x if len(total) > 2 else x + 1.0


@pytest.mark.parametrize("shape", [(8193,), (40_000,), (3, 9000), (2, 3, 7000), (20_000, 3)])
@pytest.mark.parametrize("dtype", FLOATS)
def test_rows_that_are_longer_than_the_buffer_of_numpy(shape, dtype):
    """Some versions add these up in pieces."""

    def sums(x):
        return x.sum(), x.mean(axis=-1), (x * x).sum(axis=-1), x.var(), x.sum(axis=0)

    x = numbers(shape, dtype)
    assert outcome(native(sums), x) == outcome(sums, x)


def test_a_sum_that_nobody_reads():
    compiled = staticpy.jit(of_whom_the_size_is_read, backend="llvm")
    for rows in (2, 3):
        x = np.arange(2.0 * rows).reshape(rows, 2)
        np.testing.assert_array_equal(compiled(x), of_whom_the_size_is_read(x), strict=True)


@pytest.mark.parametrize("axis", [(1, 3), (0, 3), (0, 2, 3), (0, 1, 3), (1, -1)], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_the_last_axis_and_others_apart_from_it(axis, keepdims):
    def function(x):
        extrema = x.max(axis=axis, keepdims=keepdims), x.min(axis=axis, keepdims=keepdims)
        logic = (x > 0).any(axis=axis, keepdims=keepdims), x.all(axis=axis, keepdims=keepdims)
        sums = x.sum(axis=axis, keepdims=keepdims), (x * 2).mean(axis=axis, keepdims=keepdims)
        return *extrema, *logic, *sums, x.var(axis=axis, keepdims=keepdims)

    for dtype in ("float32", "float64", "int16", "bool"):
        compiled = native(function) if dtype != "bool" else native(lambda x: (x.max(axis=axis),))
        plain = function if dtype != "bool" else lambda x: (x.max(axis=axis),)
        for shape in ((3, 2, 4, 5), (5, 3, 7, 9), (2, 1, 3, 40), (2, 0, 3, 2), (2, 3, 2, 0)):
            x = numbers(shape, dtype)
            if dtype == "float32" and x.size:
                x.flat[:: x.size // 3 + 1] = np.nan
            for each in (x, np.asfortranarray(x), x.transpose(0, 2, 1, 3), x[..., ::-1]):
                assert outcome(compiled, each) == outcome(plain, each)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bool"])
def test_short_rows_of_a_known_length(count, dtype):
    def function(x):
        rows = x.reshape(-1, count)
        return rows.max(axis=1), rows.min(axis=1, keepdims=True), rows.any(axis=-1), rows * 1

    compiled = native(function)
    for size in (0, 1, 7, 50):
        x = numbers((size * count,), dtype)
        if size and dtype.startswith("f"):
            x[size // 2] = np.nan
        assert outcome(compiled, x) == outcome(function, x)
        assert outcome(compiled, x[::-1]) == outcome(function, x[::-1])


@pytest.mark.parametrize("keepdims", [False, True])
def test_arrays_of_which_only_the_run_knows_the_size_are_reduced_in_loops(keepdims):
    def rows(x, n):
        return x[n:].sum(axis=1, keepdims=keepdims), (x[:, :n] * 2.0).max(axis=0, keepdims=keepdims)

    compiled = native(rows)
    x = numbers((9, 8), "float64")
    for n in (0, 1, 3):
        if n:
            assert outcome(compiled, x, n) == outcome(rows, x, n)
    text = compiled.lower(x, 3).compile().llvm_ir
    body = text[text.index("@body") : text.index("\n}", text.index("@body"))]
    assert all(f"@cluster.{number}" in body for number in (0, 1))
