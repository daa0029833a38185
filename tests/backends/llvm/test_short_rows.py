"""Rows of a few elements: many are reduced at a time, each in NumPy's order."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

REDUCTIONS = {
    "sum": lambda x: x.sum(axis=-1),
    "sum with axis": lambda x: x.sum(axis=-1, keepdims=True) * 2,
    "prod": lambda x: x.prod(axis=-1),
    "max": lambda x: x.max(axis=-1),
    "min": lambda x: x.min(axis=-1),
    "any": lambda x: (x > 0).any(axis=-1),
    "all": lambda x: (x > 0).all(axis=-1),
    "count": lambda x: (x > 0).sum(axis=-1),
    "mean": lambda x: x.mean(axis=-1),
    "mean of truths": lambda x: (x > 0).mean(axis=-1),
    "std": lambda x: x.std(axis=-1),
    "var": lambda x: x.var(axis=-1, ddof=1),
}

PROGRAMS = {
    "length": lambda x: np.sqrt((x * x).sum(axis=-1)),
    "unit": lambda x: x / (np.abs(x).sum(axis=-1, keepdims=True) + 1),
    "softmax": lambda x: np.where(x > 0, x, 0) / x.max(axis=-1, keepdims=True),
    "of the first row": lambda x: ((x - x[:1]) * 2).sum(axis=-1),
    "of a column": lambda x: (x * x[:, :1]).sum(axis=-1),
    "twice": lambda x: (x - x.mean(axis=-1, keepdims=True)).max(axis=-1) + x.min(axis=-1),
    "kept": lambda x: (y := x * 2, y.sum(axis=-1)),
    "of numbers": lambda x: ((x + 1) * x.dtype.type(3)).sum(axis=-1),
}

DTYPES = ["float64", "float32", "int64", "int32", "uint8", "bool"]

LAYOUTS = {
    "c": lambda x: x,
    "gaps": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "other rows": lambda x: np.repeat(x, 2, axis=0)[::2],
    "backwards": lambda x: x[::-1],
    "fortran": np.asfortranarray,
}


def numbers(count, length, dtype="float64"):
    x = np.random.default_rng(length).standard_normal((count, length)) * 100
    x[::3, 0] = -0.0
    return x.astype(dtype)


def same(found, expected):
    if isinstance(expected, tuple):
        return all(map(same, found, expected))
    found, expected = np.asarray(found), np.asarray(expected)
    is_same = found.dtype == expected.dtype and found.strides == expected.strides
    return is_same and found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_have_numpys_bits(name, dtype):
    function = REDUCTIONS[name]
    for length in range(2, 10):
        compiled = staticpy.jit(function, backend="llvm")
        for count in (37, 16, 3):
            x = numbers(count, length, dtype)
            assert same(compiled(x), function(x)), (length, count)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_lie_anyhow(name, layout):
    function = PROGRAMS[name]
    for dtype in ("float64", "float32"):
        for length in (2, 3, 8):
            x = LAYOUTS[layout](numbers(69, length, dtype))
            assert same(staticpy.jit(function, backend="llvm")(x), function(x)), (dtype, length)


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_of_another_length_than_at_first(name):
    function = PROGRAMS[name]
    compiled = staticpy.jit(function, backend="llvm")
    for length in (3, 7, 100, 2, 3, 1):
        x = numbers(50, length)
        assert same(compiled(x), function(x)), length


BLOCKS = {
    "max": lambda x: x.reshape(3, 10, 2, 22, 2).max(axis=(2, 4)),
    "min": lambda x: x.reshape(3, 10, 2, 22, 2).min(axis=(2, 4)),
    "mean": lambda x: x.reshape(3, 10, 2, 22, 2).mean(axis=(2, 4)),
    "sum": lambda x: x.reshape(3, 10, 2, 22, 2).sum(axis=(2, 4)),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_of_pictures(name, dtype):
    function, x = BLOCKS[name], numbers(3, 20 * 44, dtype).reshape(3, 20, 44)
    assert same(staticpy.jit(function, backend="llvm")(x), function(x))


def test_rows_of_two_axes():
    def of_blocks(x):
        return x.reshape(-1, 2, 3).sum(axis=(1, 2)), x.reshape(-1, 2, 2).max(axis=(1, 2))

    x = numbers(40, 6)
    assert same(staticpy.jit(of_blocks, backend="llvm")(x), of_blocks(x))


def test_what_numpy_warns_of():
    def quotients(x):
        return (1 / x).sum(axis=-1)

    x = np.ones((33, 3))
    with np.errstate(all="raise"):
        staticpy.jit(quotients, backend="llvm")(x)
    x[32, 2] = 0  # in a row that is left at the end
    for row in (0, 32):
        x[:] = 1
        x[row, 2] = 0
        with np.errstate(all="raise"), pytest.raises(FloatingPointError):
            staticpy.jit(quotients, backend="llvm")(x)


def test_a_nan_is_found_wherever_it_is():
    def largest(x):
        return x.max(axis=-1)

    compiled = staticpy.jit(largest, backend="llvm")
    for place in range(3 * 20):
        x = numbers(20, 3)
        x.flat[place] = np.nan
        assert np.array_equal(compiled(x), largest(x), equal_nan=True)


def by_a_part(x, _):
    return x / x[:, 2][:, None], x * x[..., -1, None] + 1, np.where(x[:, :1][:, 0, None] > 0, x, 1)


def by_a_vector(x, w):
    return x * w[:, None], w[:, None] - x[0], (x > w[:, None]) | (x < 0), x + w[::-1][:, None]


def by_a_matrix_of_one_column(x, w):
    column = w.reshape(-1, 1)
    scaled = x * column
    return scaled, scaled.sum(axis=1), np.maximum(scaled, column).max(0), x - column * column


def by_what_is_reduced(x, w):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / (np.abs(centred).sum(1)[:, None] + w[:, None])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8"])
@pytest.mark.parametrize(
    "function", [by_a_part, by_a_vector, by_a_matrix_of_one_column, by_what_is_reduced]
)
def test_a_number_for_each_row(function, dtype):
    for length in (3, 4, 7, 8, 9):
        compiled = staticpy.jit(function, backend="llvm")
        for count in (40, 1, 3, 67):
            x, w = numbers(count, length, dtype), numbers(count, 1, dtype)[:, 0]
            with np.errstate(all="ignore"):
                assert same(compiled(x, w), function(x, w))
                assert same(compiled(x[::-1], w[::-1]), function(x[::-1], w[::-1]))
                assert same(compiled(x[:, ::-1], w), function(x[:, ::-1], w))
        turned = np.asfortranarray(numbers(40, length, dtype))
        with np.errstate(all="ignore"):
            assert same(compiled(turned, turned[:, 0]), function(turned, turned[:, 0]))


def test_only_the_divisions_of_the_program_warn():
    def scaled(x, w):
        return x / w[:, None]

    compiled, x, w = staticpy.jit(scaled, backend="llvm"), np.ones((70, 3)), np.ones(70)
    with np.errstate(all="raise"):
        assert same(compiled(x, w), scaled(x, w))
        for row in (0, 31, 69):
            w[:] = 1
            w[row] = 0
            with pytest.raises(FloatingPointError):
                compiled(x, w)
