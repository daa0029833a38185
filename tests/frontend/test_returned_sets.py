"""A set that a loop returns on one path, and something else on another."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import staticpy


def another_set(y: np.ndarray):
    for v in y:
        if v > 2:
            return {"a"}
    return {"b"}


def a_tuple(y: np.ndarray):
    for v in y:
        if v > 2:
            return {"a"}
    return ("b",)


def chosen(y: np.ndarray):
    found = {"b"}
    for v in y:
        if v > 2:
            found = {"a"}
    return found


@pytest.mark.parametrize("function", [another_set, a_tuple])
def test_it_is_refused_where_it_is_made(function):
    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.jit(function)(np.arange(4.0))
    assert caught.value.codes == ("SPY631",)
    text = f"import numpy as np, staticpy\n\n@staticpy.jit\n{inspect.getsource(function)}"
    assert {each.code for each in staticpy.check_source(text)} <= {"SPY631"}


def test_a_name_may_stand_for_one_or_the_other():
    for y in (np.arange(2.0), np.arange(4.0)):
        assert staticpy.jit(chosen)(y) == chosen(y)
