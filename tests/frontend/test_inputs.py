"""Inputs and guards: what is captured how, and what a guard compares with."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.frontend.inputs import (
    Argument,
    Captured,
    InputSet,
    Object,
    Path,
    map_tree,
    snapshot,
    tree_leaves,
)
from staticpy.ir import FLOAT, INT, ScalarType, TensorType

X = Path(Argument("x"))


class Color(enum.Enum):
    RED = 1


def captured(value: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
    inputs = InputSet()
    found = inputs.capture(X, value, **options)
    return found, {guard.kind: guard.expected for guard in inputs.guards.values()}


def test_arrays_are_read_at_each_call() -> None:
    for value in (np.ones(3), np.float32(1)):
        found, guards = captured(value)
        assert isinstance(found, Captured)
        assert not guards
    assert captured(np.float32(1))[0].type == ScalarType(np.dtype("f4"))
    assert captured(np.ones((2, 3)))[0].type == TensorType(np.dtype("f8"), ("n0", "n1"))


def test_numbers_are_read_at_each_call_where_that_is_asked_for() -> None:
    assert captured(1) == (1, {"equals": 1})
    assert captured(1, scalars=True)[0] == Captured(X, INT, "x")
    inputs = InputSet()
    inputs.run_time.add(X)
    assert inputs.capture(X, 2.5) == Captured(X, FLOAT, "x")


@pytest.mark.parametrize(
    "value", [None, ..., "a", b"b", 2.5, range(3), frozenset({1}), slice(1, np.int64(2))]
)
def test_values_are_compared_by_value(value: Any) -> None:
    assert captured(value) == (value, {"equals": value})


@pytest.mark.parametrize("value", [len, Color.RED, slice(np.ones(2))])
def test_objects_are_compared_by_identity(value: Any) -> None:
    found, guards = captured(value)
    assert found is value
    assert guards["is"] is value


@pytest.mark.parametrize("value", [np.ones(2, object), np.ma.ones(2), np.array("a")])
def test_arrays_that_the_language_lacks(value: Any) -> None:
    with pytest.raises(DiagnosticError):
        captured(value)


LISTS: list[tuple[list[Any], str]] = [
    ([1.0] * 17, "list[float]"),
    ([1.0] * 16, ""),
    ([], ""),
    (["a"] * 17, "list[str]"),
    ([np.float32(1)] * 17, "list[f32]"),
    ([1, 2.5] * 20, ""),
    ([1, 2.5] * 600, "list[float|int]"),
    ([None] * 1200, ""),
    ([[1.0]] * 1200, ""),
    ([np.ones(2)] * 1200, ""),
]


@pytest.mark.parametrize(("items", "expected"), LISTS, ids=lambda each: str(each)[:20])
def test_long_lists_are_read_at_each_call(items: list[Any], expected: str) -> None:
    inputs = InputSet()
    inputs.capture_list(X, items)
    assert [str(each.type) for each in inputs.inputs.values()] == ([expected] if expected else [])
    assert inputs.could_take_lists_apart == bool(expected)


def test_lists_of_constants_may_be_longer() -> None:
    for path in (X.attr("items"), Path(Object({})).item("ITEMS")):
        inputs = InputSet()
        inputs.capture_list(path, [1.0] * 64)
        assert not inputs.inputs
        inputs.capture_list(path, [1.0] * 65)
        assert inputs.inputs


def test_lists_are_taken_apart_on_demand() -> None:
    inputs = InputSet()
    inputs.takes_lists_apart = True
    inputs.capture_list(X, [1.0] * 1000)
    assert not inputs.inputs
    inputs.capture_list(X, [1.0] * 1001)
    assert inputs.inputs
    assert not inputs.could_take_lists_apart


def test_a_guard_compares_with_a_copy() -> None:
    value: list[Any] = [1, {"a": [2]}, {3}, np.zeros(2)]
    inputs = InputSet()
    inputs.guard(X, "equals", value)
    value[1]["a"].append(3)
    value[2].add(4)
    value[3][0] = 1
    (guard,) = inputs.guards.values()
    assert repr(guard.expected) == repr([1, {"a": [2]}, {3}, np.zeros(2)])


def test_a_snapshot_keeps_what_can_not_change() -> None:
    given = (1, "a", Color.RED, len)
    assert snapshot(given) == given
    assert type(snapshot([given])) is list


class Pair(NamedTuple):
    left: Any
    right: Any


class Base:
    pass


class Derived(Base):
    pass


def test_a_class_must_not_get_attributes() -> None:
    inputs = InputSet()
    inputs.guard(X, "type", Derived)
    sizes = {guard.path: guard.expected for guard in inputs.guards.values() if guard.kind == "size"}
    expected = {Path(Object(each)).attr("__dict__"): len(vars(each)) for each in (Derived, Base)}
    assert sizes == expected
    for class_ in (int, list, np.ndarray):
        inputs = InputSet()
        inputs.guard(X, "is", class_)
        assert [guard.kind for guard in inputs.guards.values()] == ["is"]


def test_objects_are_kept_apart_by_type() -> None:
    lists: list[Any] = [[], [], []]
    paths = [X.item(i) for i in range(5)]
    inputs = InputSet()
    objects = [*lists, {}, lists[0]]
    inputs.keep_apart(zip(paths, objects, strict=True))
    guards = [(guard.path, guard.kind, guard.expected) for guard in inputs.guards.values()]
    assert guards == [
        (paths[1], "distinct", (paths[0],)),
        (paths[2], "distinct", (paths[0], paths[1])),
    ]


def test_trees() -> None:
    tree = (1, [Pair(2, {"a": 3})], slice(4, None))
    assert tree_leaves(tree) == [1, 2, 3, 4, None, None]
    doubled = map_tree(lambda leaf: leaf and 2 * leaf, tree)
    assert doubled == (2, [Pair(4, {"a": 6})], slice(8, None))
    assert type(doubled[1][0]) is Pair
