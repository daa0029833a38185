"""Numbers of rows that a view stretches, ``m[:, None]``, in the walk over the rows."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def centred(x):
    largest = x.max(1)
    return (x - largest[:, None]).sum(1) + largest


def by_their_norms(x):
    norms = np.sqrt((x * x).sum(axis=1))
    return x / norms[..., None], norms[:, None], norms, norms[None]


def of_pairs(x):
    total = x.sum(1)[:, None]
    return x / total, total.T, total * total, total[:, 0]


def after_a_write(x):
    total = x.sum(1)
    column = total[:, None]
    column[0] = 7
    return x - column, total


def before_a_write(x):
    total = x.sum(1)
    column = total[:, None]
    y = x - column
    total[-1] = 3
    return y, column, total


def in_a_loop(x):
    for _ in range(3):
        total = np.abs(x).sum(axis=1)
        x = x / total[:, None]
    return x, total


def last_two(x):
    mean = x.mean(axis=(1, 2))
    return x - mean[:, None, None], mean[:, np.newaxis], mean[:, None, None] * 2


@pytest.mark.parametrize(
    "function", [centred, by_their_norms, of_pairs, after_a_write, before_a_write, in_a_loop]
)
@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (1, 9), (4, 1), (50, 130), (2000, 50)])
def test_matrices(function, shape):
    check(function, np.random.default_rng(0).random(shape) + 0.5)


@pytest.mark.parametrize("shape", [(2, 3, 5), (2, 1, 1), (40, 9, 30)])
def test_rows_of_two_axes(shape):
    check(last_two, np.random.default_rng(1).random(shape))


def check(function, x):
    native = staticpy.jit(function, backend="llvm")
    for each in (x, x[::-1], x[..., ::-1]):
        found, expected = native(each.copy()), function(each.copy())
        for one, other in zip(as_tuple(found), as_tuple(expected), strict=True):
            assert details(one) == details(other)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)
