"""Attributes that come and go between two calls: what ``hasattr`` and ``getattr`` find."""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import staticpy


class Level(enum.Enum):
    LOW = 1


class Settings:
    pass


def helper():
    return 1


class Named(NamedTuple):
    x: int
    y: int


class Pair(Named):
    """A class whose instances have a dict, unlike those of ``Named``."""


MODULE = types.ModuleType("MODULE")
PAIR = Pair(1, 2)

READS: list[tuple[Callable[[], Any], Any]] = [
    (lambda: (hasattr(MODULE, "a"), getattr(MODULE, "a", 0)), MODULE),
    (lambda: (hasattr(Level.LOW, "a"), getattr(Level.LOW, "a", 0)), Level.LOW),
    (lambda: (hasattr(helper, "a"), getattr(helper, "a", 0)), helper),
    (lambda: (hasattr(Settings, "a"), getattr(Settings, "a", 0)), Settings),
]


@pytest.mark.parametrize(("function", "holder"), READS)
def test_presence_is_guarded(function: Callable[[], Any], holder: Any) -> None:
    jitted = staticpy.jit(function)
    assert jitted() == function() == (False, 0)
    holder.a = 5
    assert jitted() == function() == (True, 5)
    holder.a = 2.5
    assert jitted() == function() == (True, 2.5)
    del holder.a
    assert jitted() == function() == (False, 0)


def test_names_of_a_function_are_guarded() -> None:
    jitted = staticpy.jit(lambda: (helper.__name__, helper.__doc__))
    assert jitted() == ("helper", None)
    helper.__doc__ = "a text"
    assert jitted() == ("helper", "a text")
    helper.__doc__ = None


class Base:
    pass


class Other:
    b = 3


class Derived(Base):
    """A class whose names and bases change."""


def described():
    return Derived.__name__, Derived.__qualname__, Derived.__doc__, type(Derived()).__name__


def test_names_of_a_class_are_guarded() -> None:
    jitted = staticpy.jit(described)
    assert jitted() == described()
    for name in ("__name__", "__qualname__", "__doc__"):
        setattr(Derived, name, "another")
        assert jitted() == described()


def test_one_attribute_of_a_class_for_another() -> None:
    """The class holds as many as before."""

    def function():
        return hasattr(Settings, "second"), getattr(Settings, "second", 0)

    Settings.first = 1  # type: ignore[attr-defined]
    jitted = staticpy.jit(function)
    assert jitted() == function() == (False, 0)
    del Settings.first  # type: ignore[attr-defined]
    Settings.second = 2  # type: ignore[attr-defined]
    assert jitted() == function() == (True, 2)
    del Settings.second  # type: ignore[attr-defined]


def test_the_bases_of_a_class_are_guarded() -> None:
    def function():
        return hasattr(Derived, "b"), Derived.__bases__

    jitted = staticpy.jit(function)
    assert jitted() == function() == (False, (Base,))
    Derived.__bases__ = (Other,)
    assert jitted() == function() == (True, (Other,))
    Derived.__bases__ = (Base,)


def write_to_a_member():
    Level.LOW.a = 1


def write_to_a_tuple():
    pair = Pair(1, 2)
    pair.z = 3
    return pair.z


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (write_to_a_member, "SPY108"),
        (write_to_a_tuple, "SPY509"),
        (lambda: hasattr(PAIR, "z"), "SPY504"),
        (lambda: PAIR.z, "SPY305"),
    ],
)
def test_refused(function: Callable[[], Any], code: str) -> None:
    with pytest.raises(staticpy.CompileError, match=code):
        staticpy.jit(function)()
