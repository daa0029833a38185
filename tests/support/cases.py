"""The table of small programs: how a program is declared and collected.

In: the modules of ``tests/cases/accept``, each a list of ordinary functions under ``@case``. Out:
one ``Case`` a function. CPython with NumPy is the judge, so a case states arguments only, never a
result.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.support.observing import Call

ACCEPT = Path(__file__).parent.parent / "cases" / "accept"
"""The folder of the programs that the language accepts."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Case:
    """A program of the table with the calls that it is tried on."""

    area: str
    function: Callable[..., Any]
    calls: tuple[Call, ...]

    @property
    def id(self) -> str:
        return f"{self.area}.{self.function.__name__}"

    @property
    def lines(self) -> range:
        """The lines of the function in its file, decorators included."""
        lines, first = inspect.getsourcelines(self.function)
        return range(first, first + len(lines))

    @property
    def is_annotated(self) -> bool:
        """Whether every parameter says its type, so that ``check`` can decide."""
        parameters = inspect.signature(self.function).parameters.values()
        return all(p.annotation is not p.empty for p in parameters)


_CASES: list[Case] = []


def call(*args: Any, **kwargs: Any) -> Call:
    """A call with keyword arguments, where a tuple of positional ones doesn't do."""
    return Call(args, kwargs)


def case(*calls: Call | tuple[Any, ...]) -> Callable[[Function], Function]:
    """Enter the function below into the table, to be called with each tuple of arguments."""
    assert calls, "a case needs the arguments of at least one call"
    made = tuple(item if isinstance(item, Call) else Call(item) for item in calls)

    def enter(function: Function) -> Function:
        _CASES.append(Case(function.__module__.rpartition(".")[2], function, made))
        return function

    return enter


def load_cases() -> list[Case]:
    """Every case of the table, file by file."""
    for path in sorted(ACCEPT.glob("[a-z]*.py")):
        importlib.import_module(f"tests.cases.accept.{path.stem}")
    return list(_CASES)
