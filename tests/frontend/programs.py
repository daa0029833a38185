"""Small programs under ``@program``, compared with CPython: as they are lowered, and optimized."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tests.support.observing import Call, differences
from tests.support.routes import routes_of

Function = TypeVar("Function", bound=Callable[..., Any])
ROUTES = ("graph", "text", "without passes")


class Programs:
    """The programs of a test module, each with the calls that it is tried on."""

    def __init__(self) -> None:
        self.table: list[tuple[Callable[..., Any], tuple[Call, ...]]] = []

    def __call__(self, *calls: tuple[Any, ...]) -> Callable[[Function], Function]:
        """Enter the function below."""

        def enter(function: Function) -> Function:
            self.table.append((function, tuple(map(Call, calls))))
            return function

        return enter


def name_of(item: tuple[Callable[..., Any], Any]) -> str:
    """The name of a program, for the name of its test."""
    return item[0].__name__


def assert_same(item: tuple[Callable[..., Any], tuple[Call, ...]]) -> None:
    """A program does what it does in CPython."""
    function, calls = item
    assert differences(function, calls, routes_of(function, ROUTES)) == []
