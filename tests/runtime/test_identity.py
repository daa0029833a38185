"""What a caller can tell apart by ``is``, and what a function sees of a program that changes."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

import staticpy

SETTINGS = {"layers": [np.ones(2), np.ones(2)]}


@staticpy.jit
def same(value: Any) -> Any:
    return value


@staticpy.jit
def chosen(flag: bool, left: Any, right: Any) -> Any:
    return left if flag else right


@staticpy.jit
def layers() -> Any:
    return SETTINGS["layers"]


@pytest.mark.parametrize("value", [[1, 2], {"a": np.ones(2)}, (np.ones(2),), np.ones(2)], ids=str)
def test_an_argument_is_returned_itself(value: Any) -> None:
    assert same(value) is value


def test_a_nested_container_is_returned_itself() -> None:
    assert layers() is SETTINGS["layers"]


def test_a_branch_chooses_the_array_itself() -> None:
    x, y = np.ones(2), np.ones(2)
    assert chosen(True, x, y) is x
    assert chosen(False, x, y) is y


def test_one_list_in_two_places_is_one_list() -> None:
    @staticpy.jit
    def twice(x: float) -> Any:
        items = [x]
        return items, {"again": items}, [x]

    first, second, third = twice(1.0)
    assert first is second["again"]
    assert first == third == [1.0]
    assert first is not third


def test_fresh_arrays_stay_two() -> None:
    @staticpy.jit
    def pair() -> Any:
        return np.zeros(2), np.zeros(2)

    first, second = pair()
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, pair()[0])


def helper(x: int) -> int:
    return abs(x) + 1


@staticpy.jit
def uses_helper(x: int) -> int:
    return helper(x)


def test_a_builtin_that_gets_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uses_helper(-3) == 4
    monkeypatch.setitem(globals(), "abs", lambda x: x * 10)
    assert uses_helper(-3) == -29


def test_code_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(x: int) -> int:
        return x * 2

    assert isinstance(helper, types.FunctionType)
    assert uses_helper(-5) == 6
    monkeypatch.setattr(helper, "__code__", other.__code__)
    assert uses_helper(-5) == -10
