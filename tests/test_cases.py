"""Every program of ``tests/cases/accept`` gives in every route what it gives in CPython."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import Severity
from staticpy.frontend.check import check_text
from staticpy.ir import parse_module, print_module
from staticpy.ops import REGISTRY
from tests.support.cases import ACCEPT, ROUTES, Call, Case, differences, load_cases

TABLE = load_cases()
ANNOTATED = [item for item in TABLE if item.is_annotated]
by_id = pytest.mark.parametrize("item", TABLE, ids=lambda item: item.id)


def test_size_of_the_table() -> None:
    assert len(TABLE) >= 300
    assert len({item.id for item in TABLE}) == len(TABLE)


def _raise(error: Exception) -> Any:
    raise error


def _double_in_place(x: np.ndarray) -> np.ndarray:
    x *= 2
    return x


X = np.array([1.0, -0.0])
KEPT = np.zeros(2)
UNLIKE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "value": (lambda x: x + 1, lambda x: x + 2),
    "sign of zero": (lambda x: x[1], lambda x: -x[1]),
    "Python or NumPy scalar": (lambda x: x[0], lambda x: float(x[0])),
    "scalar or 0-d array": (lambda x: x[0], lambda x: np.array(x[0])),
    "bool or int": (lambda _: True, lambda _: 1),
    "dtype": (lambda x: x, lambda x: x.astype(np.float32)),
    "shape": (lambda x: x + 1, lambda x: (x + 1)[None]),
    "structure": (lambda _: (1, 2), lambda _: [1, 2]),
    "length": (lambda _: (1, 2), lambda _: (1, 2, 3)),
    "order of keys": (lambda _: {"a": 1, "b": 2}, lambda _: {"b": 2, "a": 1}),
    "exception class": (lambda _: _raise(IndexError()), lambda _: _raise(LookupError())),
    "no exception": (lambda _: _raise(IndexError()), lambda _: 1),
    "copy of an argument": (lambda x: x, lambda x: x.copy()),
    "alias of an argument": (lambda x: x + 0.0, lambda x: x),
    "results that share": (lambda x: (x + 1, x + 1), lambda x: (x + 1,) * 2),
    "not fresh": (lambda _: np.zeros(2), lambda _: KEPT),
    "read-only": (lambda x: x * 1, lambda x: np.broadcast_to(x * 1, (2,))),
    "argument modified": (lambda x: x, _double_in_place),
}


@pytest.mark.parametrize("what", UNLIKE)
def test_a_difference_is_seen(what: str) -> None:
    function, other = UNLIKE[what]
    item = Case("here", function, (Call((X.copy(),)),))
    assert differences(item, lambda _: function) == []
    assert differences(item, lambda _: other) != []


@pytest.mark.parametrize("route", sorted(ROUTES))
@by_id
def test_same_as_cpython(item: Case, route: str) -> None:
    assert differences(item, ROUTES[route]) == []


@by_id
def test_text_form_reads_back(item: Case) -> None:
    function = staticpy.jit(item.function)
    for call in item.calls:
        lowered = function.lower(*call.args, **call.kwargs)
        for module in (lowered.module, lowered.compile().module):
            text = print_module(module)
            read = parse_module(text, REGISTRY)
            assert read == module
            assert print_module(read) == text


@cache
def findings(file: Path) -> list[tuple[int, str]]:
    """The line and the message of everything that ``check`` finds in a file of cases."""
    found = check_text(file.read_text(encoding="utf-8"), str(file), "all")
    return [
        (item.span.line, item.message) for item in found if item.spec.severity is Severity.ERROR
    ]


def compile_error(item: Case) -> str:
    """The report of the first call of a case that can't be compiled; empty if all can."""
    function = staticpy.jit(item.function)
    for call in item.calls:
        try:
            function.lower(*call.args, **call.kwargs).compile()
        except staticpy.CompileError as error:
            return str(error)
    return ""


@pytest.mark.parametrize("item", ANNOTATED, ids=lambda item: item.id)
def test_check_agrees_with_jit(item: Case) -> None:
    found = findings(ACCEPT / f"{item.area}.py")
    messages = [message for line, message in found if line in item.lines]
    error = compile_error(item)
    assert bool(messages) == bool(error), (messages, error)
