"""Slices of one column or row, by which others are stretched: only the run knows that it is one."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy import ops
from staticpy.ir import UNKNOWN, Block, Builder, TensorType, walk
from staticpy.passes import expected_sizes
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def assert_same(native, function, *args):
    with np.errstate(all="ignore"):
        found, expected = native(*args), function(*args)
    pair = [each if isinstance(each, tuple) else (each,) for each in (found, expected)]
    for one, other in zip(*pair, strict=True):
        assert details(one) == details(other)


def of_columns(x):
    return x - x[:, :1], x[:, 1:] / x[:, -1:], (x * x[:, 2:3]).sum(), (x[..., :2] > x[..., 2:3])


def of_rows(x):
    return x - x[:1], x[1:] * x[:1] + x[-1:], (x / x[2:3]).max(0), x[:, :1] - x[:1]


def reduced(x):
    scaled = x - x[:, :1]
    return scaled / np.abs(scaled).max(axis=1, keepdims=True), scaled.mean(1), scaled.sum(0)


def of_three_axes(x):
    y = x.reshape(2, -1, x.shape[-1])
    return y - y[:, :1], y * y[:, :, :1], y[:1] + y[..., -1:], (y - y[:, :1, :1]).sum(-1)


LAYOUTS = {
    "dense": lambda x: x,
    "gaps": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "backwards": lambda x: x[::-1, ::-1],
    "fortran": np.asfortranarray,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "uint8"])
@pytest.mark.parametrize("function", [of_columns, of_rows, reduced, of_three_axes])
def test_slices_of_one(function, dtype, layout):
    random = np.random.default_rng(0)
    for columns in (3, 4, 8, 9, 70):
        native = None
        for rows in (40, 4, 66):
            x = LAYOUTS[layout]((random.standard_normal((rows, columns)) * 50).astype(dtype))
            native = native or staticpy.jit(function, backend="llvm")
            assert_same(native, function, x)


def from_the_third_on(x, w):
    return x[:, 2:] * w, x[:, :2] - x[:, 2:], x[2:] + w


@pytest.mark.parametrize("first", [(5, 3), (3, 4)])
def test_later_calls_of_other_sizes(first):
    """What was one column in the first call may be several later, or none."""
    native = staticpy.jit(from_the_third_on, backend="llvm")
    for shape in (first, (5, 4), (3, 3), (9, 4), (40, 3), first):
        for count in (1, max(shape[1] - 2, 1), 7):
            x, w = np.arange(float(np.prod(shape))).reshape(shape), np.arange(float(count)) + 1
            try:
                from_the_third_on(x, w)
            except ValueError:
                with pytest.raises(ValueError, match="broadcast"):
                    native(x, w)
            else:
                assert_same(native, from_the_third_on, x, w)


def test_of_none():
    def function(x):
        return x * x[:, :1], x[:0] - x[:1], x - x[:, -1:]

    native = staticpy.jit(function, backend="llvm")
    for shape in ((5, 4), (5, 0), (1, 4), (5, 1), (5, 4)):
        assert_same(native, function, np.ones(shape))


def less_the_first(x):
    x[:, 1:] -= x[:, :1]
    x -= x[:1]
    x[...] = x * x[:, 1:2]
    return x.sum()


def test_writes():
    for shape in ((30, 3), (30, 5), (3, 40)):
        one, other = (np.random.default_rng(1).standard_normal(shape) for _ in range(2))
        found = staticpy.jit(less_the_first, backend="llvm")(one)
        assert details(found) == details(less_the_first(other))
        assert details(one) == details(other)


def test_what_is_expected():
    def function(x):
        y = x[:, None, ::2, 1]
        return y.T + x[1:3, :1, 0] * 2, x[..., 3:], x[1:][0] - x[0, :1]

    module = staticpy.jit(function, backend="llvm").lower(np.ones((5, 6, 7))).module
    made = [each for each in walk(module.main.block) if each.op.name in ("index", "transpose")]
    sizes = [expected_sizes(each.result, module.hints) for each in made]
    assert sizes == [(5, 1, 3), (3, 1, 5), (2, 1), (5, 6, 4), (4, 6, 7), (6, 7), (1, 7)]


def test_it_is_not_looked_for_far_back():
    """Each value of a chain is made of the one before, twice: all ways back would be 2**400."""
    block = Block([TensorType(np.dtype("float64"), (UNKNOWN,))])
    last = block.args[0]
    with Builder(block).current():
        for _ in range(400):
            last = ops.as_value(ops.binary("+", last, last))
    assert expected_sizes(last, {}) == (None,)


def test_a_mask_of_one_column_is_not_stretched():
    def masked(x, mask):
        x[mask] = 1.0
        return x

    native = staticpy.jit(masked, backend="llvm")
    for shape in ((3, 1), (3, 4), (1, 4)):
        if shape == (3, 4):
            assert_same(native, masked, np.zeros((3, 4)), np.ones(shape, bool))
            continue
        with pytest.raises(IndexError, match="boolean index did not match"):
            native(np.zeros((3, 4)), np.ones(shape, bool))
