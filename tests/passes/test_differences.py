"""Differences of neighbours in steps, for backends that make loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_differences_in_steps
from tests.backends.llvm.test_loops import details
from tests.support.warned import with_warnings


def of_rows(x):
    return np.diff(x)


def of_columns(x):
    return np.diff(x, axis=0) * 2


def of_differences(x):
    return np.diff(x, 2), np.diff(x, n=0), np.diff(x, 3, axis=-2)


def beside_more(x):
    return np.diff(x, prepend=0), np.diff(x, axis=0, append=x[-1:])


def before_a_write(x):
    steps = np.diff(x)
    x[:] = 3
    return steps, np.diff(x[:, 0])


def names_in_steps(function, x):
    made = with_differences_in_steps(staticpy.jit(function).lower(x).module)
    verify(made)
    return [each.op.name for each in walk(made.main.block) if each.op.name in ("diff", "subtract")]


def test_steps():
    x = np.ones((3, 4))
    assert names_in_steps(of_rows, x) == names_in_steps(of_columns, x) == ["subtract"]
    assert names_in_steps(of_differences, x) == ["subtract"] * 5
    assert names_in_steps(of_rows, x > 0) == ["diff"]


@pytest.mark.parametrize(
    "function", [of_rows, of_columns, of_differences, beside_more, before_a_write]
)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "c16", "f8"])
def test_results_are_numpys(function, dtype):
    call = staticpy.jit(function)
    for shape in ((7, 40), (1, 3), (300, 2), (3, 1), (1, 1), (2, 2)):
        x = (np.random.default_rng(0).normal(size=shape) * 9).astype(np.int8).astype(dtype)
        for given in (x, np.asfortranarray(x), x[:, ::-1], x[::2]):
            if dtype == "bool" and function is beside_more:
                continue
            assert told(call, given) == told(function, given), (shape, given.strides)


def told(function, x):
    """What a call gives, or raises, and what it makes of ``x``, which lies as it did."""
    given = x.base if x.base is not None else x
    before = given.copy()
    found, caught = with_warnings(function, x, raises=(ValueError, IndexError, TypeError))
    if isinstance(found, Exception):
        told = [type(found), str(found)]
    else:
        told = [details(each) for each in (found if isinstance(found, tuple) else (found,))]
    told += [x.tobytes(), sorted(str(each.message) for each in caught)]
    given[...] = before
    return told


def test_no_elements():
    call = staticpy.jit(of_rows)
    for x in (np.zeros(0), np.zeros(1), np.zeros((0, 3)), np.zeros((3, 0))):
        assert details(call(x)) == details(of_rows(x))


def test_an_overflow_warns():
    call = staticpy.jit(of_rows)
    with pytest.warns(RuntimeWarning, match="overflow encountered in subtract"):
        assert call(np.array([-1e308, 1e308])).tolist() == [np.inf]
