"""Numbers of attributes and globals that change between calls are compiled in only once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.frontend import Argument, Guard, Object, Path
from staticpy.runtime.changing import changed_numbers, constant_numbers

RATE = 0.5
X = Path(Argument("x"))


class Model:
    def __init__(self) -> None:
        self.rate: Any = 1.0
        self.table: dict[str, Any] = {"depth": 2}
        self.name = "model"

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("run")


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a = 1


def test_an_attribute_that_changes() -> None:
    @staticpy.jit
    def scaled(model: Any, x: Any) -> Any:
        return x * model.rate, model.rate

    model = Model()
    for number in (1.0, 0.5, 0.25, -0.0, 1.0, float("nan")):
        model.rate = number
        assert repr(scaled(model, 2.0)) == repr((2.0 * number, number))
    assert scaled.cache_size == 2
    model.rate = 3
    assert scaled(model, 2.0) == (6.0, 3)
    model.rate = True
    assert scaled(model, 2.0) == (2.0, True)
    model.rate = 4
    assert scaled(model, 2.0) == (8.0, 4)
    assert scaled.cache_size == 4


def test_a_global_and_an_item(monkeypatch: pytest.MonkeyPatch) -> None:
    @staticpy.jit
    def step(model: Any, x: Any) -> Any:
        for _ in range(model.table["depth"]):
            x = x * RATE
        return x

    model = Model()
    expected = []
    for depth in range(1, 6):
        model.table["depth"] = depth
        monkeypatch.setitem(globals(), "RATE", depth + 0.5)
        expected.append((step(model, 1.0), (depth + 0.5) ** depth))
    assert all(found == pytest.approx(known) for found, known in expected)
    assert step.cache_size == 2


def test_a_number_that_decides_what_is_compiled() -> None:
    @staticpy.jit
    def take(model: Any, x: Any) -> Any:
        return x.reshape((1,) * model.table["depth"])

    model = Model()
    for depth in (2, 1, 3, 2):
        model.table["depth"] = depth
        assert take(model, np.ones(1)).ndim == depth
    assert take.cache_size == 3


def test_what_else_changes_is_compiled_in() -> None:
    @staticpy.jit
    def named(model: Any, x: Any) -> Any:
        return model.name, x

    model = Model()
    for name in ("a", "b", "c"):
        model.name = name
        assert named(model, 1.0) == (name, 1.0)
    assert named.cache_size == 3


def test_constants_of_guards() -> None:
    guards = [Guard(X.item(i), "equals", value) for i, value in enumerate((1, 2.5, True, "a", 1j))]
    guards.append(Guard(X, "list", 5))
    assert constant_numbers(guards) == {X.item(0): 1, X.item(1): 2.5, X.item(4): 1j}


class Odd:
    @property
    def a(self) -> int:
        raise AssertionError("run")


PLACES: list[tuple[Path, Any, bool]] = [
    (X, 1, False),
    (X, 2, True),
    (X, 1.0, True),
    (X, "text", False),
    (X.item(0), [2], True),
    (X.item(0), [1], False),
    (X.item(0), [], False),
    (X.item(0), {0: 2}, True),
    (X.item(0), None, False),
    (X.item(0), np.ones(2), False),
    (X.attr("rate"), Model(), True),
    (X.attr("table").item("depth"), Model(), True),
    (X.attr("missing"), Model(), False),
    (X.attr("a"), Odd(), False),
    (X.attr("a"), Slotted(), False),
    (X.attr("b"), Slotted(), False),
    (X.attr("a").attr("real"), Slotted(), False),
    (X.attr("__code__").attr("co_argcount"), lambda: 0, True),
    (Path(Argument("unknown")), 1, False),
    (Path(Object([3])).item(0), 1, True),
]


@pytest.mark.parametrize(
    ("path", "value", "expected"), PLACES, ids=lambda each: str(each).partition(" at 0x")[0][:30]
)
def test_where_a_number_has_changed(path: Path, value: Any, expected: bool) -> None:
    found = changed_numbers([{path: 1}], {"x": value})
    assert found == (frozenset({path}) if expected else frozenset())
