"""Axes of which it is known that they have one element: loops go along the others."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native backend needs llvmlite")

import staticpy
from staticpy.backends.llvm.loop_forms import has_form
from staticpy.passes import fuse


def last(x):
    return x[..., None] * 2


def several_last(x):
    return (x[..., None, None] + 1) * 2


def middle(x):
    return x[:, None] * 2


def around(x):
    return x[:, None, :, None] - x[:1, None, :, None]


def stretched(x):
    return x[:, :, None] + x[:, :1, None]


def written(x):
    out = np.zeros((*x.shape, 1), x.dtype)
    out[...] = x[..., None] * 2
    return out


def in_place(x):
    out = x.copy()
    view = out[..., None]
    view += x[..., None]
    view *= 2
    return out


def summed(x):
    return (x[..., None] * 2).sum(axis=(0, 2))


PROGRAMS = [last, several_last, middle, around, stretched, written, in_place, summed]

LAYOUTS = {
    "c": lambda x: x.copy(),
    "fortran": np.asfortranarray,
    "gaps": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "backwards": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
    "empty": lambda x: x[:0].copy(),
    "one": lambda x: x[:1, :1].copy(),
    "column": lambda x: x[:, :1],
    "row": lambda x: x[:1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_numpys_result(program, layout):
    x = LAYOUTS[layout](np.random.default_rng(0).standard_normal((13, 37)))
    expected = program(x)
    compiled = staticpy.jit(program, backend="llvm")
    for _ in range(2):
        got = compiled(x)
        assert np.array_equal(got, expected)
        assert (got.dtype, got.strides) == (expected.dtype, expected.strides)


@pytest.mark.parametrize(
    ("program", "axes"), [(last, 2), (several_last, 3), (middle, 1), (around, 2), (stretched, 2)]
)
def test_a_row_has_an_axis_of_several_elements(program, axes):
    main = staticpy.jit(program).lower(np.ones((3, 4))).module.main
    (cluster,) = fuse(main.block, has_form)
    assert cluster.row_axes == axes
