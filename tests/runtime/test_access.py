"""Reading what instances hold: no code of the user's runs, and what a class hides is not read."""

from __future__ import annotations

import functools
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

from staticpy.frontend import Analysis, Argument, Guard, Input, Path
from staticpy.ir import INT, Module
from staticpy.runtime.entry import MISS, make_entry
from staticpy.runtime.parameters import parameters_of

X = Path(Argument("x"))


def one(x):  # type: ignore[no-untyped-def]
    raise AssertionError("never run")


def reader(class_: type, name: str) -> Any:
    """An entry that returns the int that an instance itself holds under ``name``."""
    guards = (Guard(X, "type", class_),)
    analysis = Analysis(Module("main"), (Input(X.attr(name), INT),), guards, 5)
    return _entry(analysis, name)


def lacking(class_: type, name: str) -> Any:
    """An entry for instances that hold nothing under ``name``."""
    guards = (Guard(X, "type", class_), Guard(X.attr(name), "lacks", None))
    return _entry(Analysis(Module("main"), (), guards, 5), name)


def _entry(analysis: Any, name: str) -> Any:
    return make_entry(one, parameters_of(one), analysis, lambda *_: None, 1)


class Plain:
    pass


class Slots:
    __slots__ = ("__dict__", "a")


class OnlySlots:
    __slots__ = ("a",)


@dataclass
class WithDefault:
    a: Any = 1


class Hooked:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError("run")


class HookedSlots:
    __slots__ = ("a",)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("run")


class Intercepted:
    def __getattribute__(self, name: str) -> Any:
        raise AssertionError("run")


class Shadowed:
    def a(self) -> None: ...


class Cached:
    @functools.cached_property
    def a(self) -> int:
        raise AssertionError("run")


class Property:
    @property
    def a(self) -> int:
        raise AssertionError("run")


class Derived(Hooked, Shadowed):
    pass


CLASSES = (
    Plain,
    Slots,
    OnlySlots,
    WithDefault,
    Hooked,
    HookedSlots,
    Intercepted,
    Shadowed,
    Cached,
    Derived,
)


def instance(class_: Any, value: Any) -> Any:
    made = class_.__new__(class_)
    if hasattr(class_, "a") and isinstance(class_.__dict__.get("a"), property):
        object.__getattribute__(made, "__dict__")["a"] = value
    else:
        object.__setattr__(made, "a", value)
    return made


@pytest.mark.parametrize("class_", CLASSES)
def test_own_attributes(class_: Any) -> None:
    entry = reader(class_, "a")
    assert entry(instance(class_, 1)) == 5
    assert entry(instance(class_, 1.0)) is MISS
    assert entry(Property()) is MISS


@pytest.mark.parametrize("class_", [each for each in CLASSES if each is not WithDefault])
def test_what_is_not_there_is_a_miss(class_: Any) -> None:
    assert reader(class_, "a")(class_.__new__(class_)) is MISS


def test_a_property_is_not_run() -> None:
    entry = reader(Property, "a")
    assert entry(Property()) is MISS
    assert entry(instance(Property, 1)) == 5


@pytest.mark.parametrize("class_", [*CLASSES, Property])
def test_lacking(class_: Any) -> None:
    entry = lacking(class_, "a")
    assert entry(class_.__new__(class_)) == 5
    assert entry(instance(class_, 1)) is MISS


def test_an_object_without_a_dict_can_lack_nothing() -> None:
    entry = lacking(OnlySlots, "b")
    assert entry(OnlySlots()) == 5
    assert "__dict__" not in entry.__code__.co_names


@pytest.mark.parametrize("name", ["no identifier", "class", "é", "µ", "__a"])
def test_any_name(name: str) -> None:
    made = Plain()
    entry = reader(Plain, name)
    assert entry(made) is MISS
    made.__dict__[name] = 1
    assert entry(made) == 5


class Reversed(namedtuple("Reversed", "a b")):  # noqa: PYI024
    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return tuple(self)[::-1][index]


def test_items_are_read_past_the_hooks_of_the_class() -> None:
    guards = (Guard(X, "type", Reversed),)
    entry = _entry(Analysis(Module("main"), (Input(X.item(0), INT),), guards, 5), "item")
    assert entry(Reversed(1, "text")) == 5
    assert entry(Reversed("text", 1)) is MISS
