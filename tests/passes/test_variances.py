"""Variances in steps, for backends that make loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_variances_in_steps

STEPS = ["var.mean", "broadcast", "subtract", "square", "var.quotient"]


def names_in_steps(function, x):
    module = staticpy.jit(function).lower(x).module
    made = with_variances_in_steps(module)
    verify(made)
    assert (made is module) == (names_of(made) == names_of(module))
    return names_of(made)[:-1]


def names_of(module):
    return [each.op.name for each in walk(module.main.block)]


def test_steps():
    x = np.ones((3, 4))
    assert names_in_steps(lambda x: x.var(axis=1), x) == STEPS
    assert names_in_steps(lambda x: x.var(axis=0, ddof=1, keepdims=True), x) == STEPS
    assert names_in_steps(lambda x: x.std(), x) == [*STEPS, "sqrt"]


@pytest.mark.parametrize(
    "x", [np.ones((3, 4), np.int64), np.ones((3, 4), complex), np.ones((3, 4), np.float16)]
)
def test_what_numpy_converts_stays_as_it_is(x):
    assert names_in_steps(lambda x: x.var(axis=1), x) == ["var"]


def test_axes_that_steps_would_leave_in_another_order():
    """NumPy takes the root in place, so that it lies as the variance does."""
    x = np.ones((2, 3, 4))
    assert names_in_steps(lambda x: x.std(axis=(0, 2)), x) == ["std"]
    assert names_in_steps(lambda x: x.var(axis=(0, 2), keepdims=True), x) == STEPS
    assert names_in_steps(lambda x: x.var(axis=1, ddof=0.5), np.ones((3, 4))) == ["var"]
