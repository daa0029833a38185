"""Gathers in fused loops: NumPy's elements, memory layout and exceptions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import outcome

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

INDICES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64]
ELEMENTS = [np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64]
SHAPES = [(0,), (1,), (7,), (8,), (130,), (3, 5), (5, 0), (2, 9, 17), (40000,)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def alone(x, i):
    return x[i]


def affine(x, i):
    return x[i] * 2 + 1


def taken(x, i):
    return np.take(x, i) + x.take(i)


def weighted(x, i, v):
    return (x[i] * v).sum(axis=-1)


def computed(x, i):
    return x[(i * 3 + 1) % 5] - x[i]


def jumped(x, i):
    return i[i] + 1


def also_in_place(x, i):
    return x[i] + x[: len(i)]


def matrix(x, i, j):
    return x[i, j] * 2


def one_column(x, i, j):
    return x[i, 0] * x[i, -1] + x[2, j], (x[i, 1] - x[i, 0]).sum()


def several(x, i, j):
    return x[i] * x[j], x[i].sum(), x[j].max()


def accumulated(x, i):
    return x[i].sum(axis=0), x[i].mean(axis=0)


def random_indices(shape, size, dtype):
    low = 0 if np.dtype(dtype).kind == "u" else -size
    return np.random.default_rng(len(shape)).integers(low, size, shape).astype(dtype)


def layouts(i):
    """The same indexes as they can lie in memory."""
    yield i
    yield np.asfortranarray(i)
    yield i[::-1]
    yield np.repeat(i, 2, axis=-1)[..., ::2]
    yield i.T
    yield np.broadcast_to(i, (3, *i.shape))
    yield i[..., None]
    yield np.frombuffer(b"\0" + i.tobytes(), i.dtype, offset=1).reshape(i.shape)
    yield i.astype(i.dtype.newbyteorder())


def names_of_kernels(function, *arguments):
    return [each.operations for each in native(function).lower(*arguments).compile().kernels]


@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("integer", [np.int32, np.int64])
def test_elements(dtype, integer):
    calls = [(each, native(each)) for each in (alone, affine)]
    x = np.arange(50).astype(dtype)
    for shape in SHAPES:
        for (function, call), i in itertools.product(
            calls, layouts(random_indices(shape, 50, integer))
        ):
            for table in (x, x[::-2], x[:1].repeat(50)):
                inside = i % len(table)
                assert outcome(call, table, inside) == outcome(function, table, inside)
                assert outcome(call, table, i) == outcome(function, table, i)


@pytest.mark.parametrize("integer", INDICES)
@pytest.mark.parametrize("function", [alone, taken, affine])
def test_indexes(function, integer):
    call, x = native(function), np.arange(40.0)
    for i in layouts(random_indices((4, 9), 40, integer)):
        assert outcome(call, x, i) == outcome(function, x, i)


@pytest.mark.parametrize("function", [alone, taken, affine, computed, jumped, also_in_place])
def test_out_of_bounds(function):
    call = native(function)
    for size, bad in itertools.product((0, 1, 5, 20), (-21, 20, 2**62, -(2**62), -(2**63))):
        for count, place in ((1, 0), (9, 8), (9, 3), (40000, 39999)):
            i = np.zeros(count, np.int64)
            i[place] = bad
            x = np.arange(float(size))
            assert outcome(call, x, i) == outcome(function, x, i)


@pytest.mark.parametrize("function", [computed, jumped, also_in_place, accumulated])
def test_places(function):
    call = native(function)
    x = np.arange(12.0) ** 2
    for i in (np.arange(12), np.arange(12)[::-1], np.arange(5), np.arange(-3, 3), np.arange(0)):
        assert outcome(call, x, i) == outcome(function, x, i)


def test_rows_are_summed_as_numpy_sums_them():
    call, x = native(weighted), np.random.default_rng(0).standard_normal(1000)
    for shape in ((10, 8), (3, 7), (2, 200), (1, 1), (0, 3), (3, 0), (4, 3, 9), (5000, 8)):
        i, v = random_indices(shape, 1000, np.int64), np.random.default_rng(1).random(shape)
        for each in (i, np.asfortranarray(i), i.astype(np.int32)):
            assert outcome(call, x, each, v) == outcome(weighted, x, each, v)


def test_indexes_that_stretch():
    call = native(matrix)
    x = np.random.default_rng(0).random((6, 7))
    rows, columns = np.arange(-3, 3), np.arange(7)[::-1]
    for i, j in (
        (rows[:, None], columns),
        (columns % 6, rows[:, None]),
        (rows, rows),
        (rows, np.array([2])),
        (np.array([2]), rows),
        (rows[:, None], columns[None, :]),
        (rows, columns),
        (rows[:0, None], columns + 99),
        (rows[:, None], columns + 1),
        (rows[:, None] - 4, columns),
    ):
        for each in (x, x.T[:, :6], np.asfortranarray(x), x[::-1, ::-1], x[:1], x[:0]):
            assert outcome(call, each, i, j) == outcome(matrix, each, i, j)


def test_of_one_column():
    call, random = native(one_column), np.random.default_rng(0)
    for n, m in ((3, 2), (3, 1), (2, 3), (7, 9), (3, 0)):
        x = random.random((n, m))
        for i in layouts(random.integers(-n, n, (2, 9))):
            for each in (x, np.asfortranarray(x), x[:, ::-1]):
                assert outcome(call, each, i, i % m if m else i) == outcome(
                    one_column, each, i, i % m if m else i
                )


def test_several_gathers():
    call = native(several)
    x = np.random.default_rng(0).random(30)
    i, j = random_indices((300,), 30, np.int64), random_indices((300,), 30, np.int64)[::-1]
    assert outcome(call, x, i, j) == outcome(several, x, i, j)
    assert outcome(call, x, i, j + 1) == outcome(several, x, i, j + 1)


# --- rows -----------------------------------------------------------------------------------------


def rows(x, i):
    return x[i], x[i] * 2, np.take(x, i, axis=0) + 1


def embedded(x, i):
    return x[i] + x[0], x[i, ...] * x[i].max(axis=-1, keepdims=True)


def looked_up(x, i):
    return (x[i] * x[i]).sum(axis=-1), x[i].mean(axis=0), np.take(x, i, axis=0).sum()


def rows_of_view(x, i):
    return x[:, :3][i] * 2, x.T[i % x.shape[1]] * 2


def rows_written(x, i):
    x[: len(i)] = x[i] * 2
    x[0] += x[i[:1]].sum(axis=0)
    return x


@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("function", [rows, embedded, looked_up, rows_of_view])
def test_rows(function, dtype):
    call, random = native(function), np.random.default_rng(0)
    for n, m in ((2, 2), (5, 3), (7, 8), (20, 33), (4, 300)):
        x = (random.standard_normal((n, m)) * 9).astype(dtype)
        for i in layouts(random.integers(-n, n, (3, 4))):
            for table in (x, np.asfortranarray(x), x[::-1], np.repeat(x, 2, axis=1)[:, ::2]):
                assert outcome(call, table, i) == outcome(function, table, i), (n, m)


@pytest.mark.parametrize("function", [rows, embedded, looked_up, rows_written])
def test_rows_out_of_bounds(function):
    call = native(function)
    for n, m, count, place in ((5, 3, 4, 3), (5, 3, 1, 0), (1, 40, 1, 0), (300, 9, 300, 299)):
        for bad in (0, n, -n, -n - 1, 2**62):
            x, i = np.arange(float(n * m)).reshape(n, m), np.zeros(count, np.int64)
            i[place] = bad
            assert outcome(call, x, i) == outcome(function, x, i), (n, m, bad)
    for n, m, count in ((0, 3, 0), (0, 3, 1), (3, 0, 2), (3, 4, 0)):
        x, i = np.ones((n, m)), np.zeros(count, np.int64)
        assert outcome(call, x, i) == outcome(function, x, i), (n, m, count)


def test_many_rows():
    """On several threads, which cut the indexes and not the rows."""
    random = np.random.default_rng(0)
    for n, m, count in ((50, 7, 40000), (9, 60000, 3), (2, 200000, 1)):
        x, i = random.random((n, m)), random.integers(-n, n, count)
        for function in (rows, embedded, looked_up):
            assert outcome(native(function), x, i) == outcome(function, x, i)


def test_rows_are_fused():
    x, i = np.ones((5, 3)), np.zeros(4, np.int64)
    names = names_of_kernels(lambda x, i: (x[i] * x[i]).sum(axis=-1), x, i)
    assert names == [("index.rows", "multiply", "sum")]


# --- writes ---------------------------------------------------------------------------------------


def permuted(x, i):
    x[:] = x[i] * 2
    return x


def added(x, i):
    x += x[i]
    return x


def into_indices(x, i):
    i[...] = i[i]
    return i


def every_second(x, i):
    x[::2] = x[i[::2]]
    return x


@pytest.mark.parametrize("function", [permuted, added, into_indices, every_second])
@pytest.mark.parametrize("count", [1, 9, 40000])
def test_nothing_is_written_before_all_indexes_are_known(function, count):
    call = native(function)
    i = np.random.default_rng(0).permutation(count)
    for bad in (0, count, -count - 1):
        given = np.where(i == count - 1, bad, i) if bad else i
        x = np.arange(float(count))
        assert outcome(call, x, given) == outcome(function, x, given)


# --- warnings -------------------------------------------------------------------------------------


def inverse(x, i, y):
    y[0] = 7.0
    return 1 / x[i]


def test_what_an_index_out_of_bounds_stands_for_does_not_warn():
    call, x = native(inverse), np.arange(9.0)
    for i in (np.array([1, 99]), np.arange(1, 9), np.arange(9)):
        assert outcome(call, x, i, np.ones(3)) == outcome(inverse, x, i, np.ones(3))


# --- how it is done -------------------------------------------------------------------------------


def test_gathers_are_fused():
    x, i, v = np.arange(9.0), np.zeros((3, 4), np.int64), np.ones((3, 4))
    assert names_of_kernels(weighted, x, i, v) == [("index", "multiply", "sum")]
    assert names_of_kernels(computed, x, i)[0][-3:] == ("index", "index", "subtract")


def test_what_is_computed_is_gathered_from_once_it_is_there():
    def double(x, i):
        y = x * 2
        return y[i] + y[i[::-1]]

    x, i = np.arange(9.0), np.arange(4)
    assert names_of_kernels(double, x, i) == [("multiply",), ("index", "index", "add")]
    assert outcome(native(double), x, i) == outcome(double, x, i)
