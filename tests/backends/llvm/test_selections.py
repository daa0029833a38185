"""``x[mask]`` in native code: NumPy's elements, dtypes and exceptions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_gathers import ELEMENTS
from tests.backends.llvm.test_loops import details, outcome
from tests.support.direct import frames_of, warm

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SHAPES = [(0,), (1,), (63,), (64,), (65,), (200,), (3, 5), (4, 17), (2, 9, 17), (3, 0), (70000,)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def selected(x, mask):
    return x[mask], x[~mask]


def computed(x, mask):
    return x[x == x[mask].max()] * 2 if mask.any() else x, x[mask].sum()


def layouts(x):
    yield x
    yield np.asfortranarray(x)
    yield x[::-1]
    yield np.repeat(x, 2, axis=-1)[..., ::2]


@pytest.mark.parametrize("dtype", [*ELEMENTS, np.complex64, np.complex128])
@pytest.mark.parametrize("function", [selected, computed])
def test_elements(function, dtype):
    if function is computed and np.dtype(dtype).kind not in "iuf":
        return
    call, random = native(function), np.random.default_rng(0)
    for shape in SHAPES:
        x = (random.standard_normal(shape) * 9).astype(dtype)
        for share in (0, 0.02, 0.5, 1):
            mask = random.random(shape) < share
            pairs = [*zip(layouts(x), layouts(mask), strict=True), (x, np.asfortranarray(mask))]
            for each, where in pairs:
                assert outcome(call, each, where) == outcome(function, each, where), shape


def test_sizes_that_differ():
    call, x = native(selected), np.arange(9.0)
    for n in (0, 1, 8, 10):
        assert outcome(call, x, np.ones(n, bool)) == outcome(selected, x, np.ones(n, bool))
    x, mask = np.arange(6.0).reshape(2, 3), np.ones((3, 2), bool)
    assert outcome(call, x, mask) == outcome(selected, x, mask)


@pytest.mark.parametrize("dtype", [*ELEMENTS, np.complex64, np.complex128])
def test_rows(dtype):
    call, random = native(selected), np.random.default_rng(0)
    for shape in (
        (0, 3),
        (3, 0),
        (1, 1),
        (5, 1),
        (70, 3),
        (130, 40),
        (2, 3, 4),
        (3, 0, 2),
        (70, 1, 3),
    ):
        x = (random.standard_normal(shape) * 9).astype(dtype)
        for rank, share in itertools.product(range(1, len(shape)), (0, 0.02, 0.5, 1)):
            mask = random.random(shape[:rank]) < share
            arrays = (*layouts(x), x[:, ::-1], np.broadcast_to(x[:1], (shape[0], *x[:1].shape[1:])))
            for each, where in ((each, where) for each in arrays for where in (mask, mask[::-1])):
                found, wanted = call(each, where), selected(each, where)
                assert list(map(details, found)) == list(map(details, wanted)), (shape, rank)


def test_masks_that_do_not_fit_rows():
    call, x = native(selected), np.arange(6.0).reshape(2, 3)
    for n in (0, 1, 3):
        assert outcome(call, x, np.ones(n, bool)) == outcome(selected, x, np.ones(n, bool))


def test_arrays_without_axes():
    call = native(lambda x, mask: x[mask])
    for truth in (True, False):
        found = call(np.array(2.5), np.array(truth))
        assert found.tolist() == np.array(2.5)[np.array(truth)].tolist()
        assert found.shape == (int(truth),)


def test_the_result_is_no_view():
    x = np.arange(9.0)
    made, _ = native(selected)(x, np.ones(9, bool))
    made[0] = 7.0
    assert x[0] == 0.0


def test_no_python_runs():
    x = np.linspace(-1, 1, 100)
    assert frames_of(warm(selected, x, x > 0), x, x > 0) == []
    rows, mask = x.reshape(20, 5), x[:20] > 0
    assert frames_of(warm(selected, rows, mask), rows, mask) == []
