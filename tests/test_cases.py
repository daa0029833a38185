"""Every program of ``tests/cases/accept`` gives in every route what it gives in CPython."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import staticpy
from staticpy.diagnostics import Diagnostics, Severity
from staticpy.frontend import StaticModule
from staticpy.frontend.check import check_unit
from staticpy.ir import parse_module, print_module
from staticpy.ops import REGISTRY
from staticpy.source import from_text
from tests.support.cases import ACCEPT, Case, load_cases
from tests.support.observing import differences
from tests.support.routes import SWITCHED_OFF, TEXT, routes_of

TABLE = load_cases()
ANNOTATED = [item for item in TABLE if item.is_annotated]
by_id = pytest.mark.parametrize("item", TABLE, ids=lambda item: item.id)


def test_size_of_the_table() -> None:
    assert len(TABLE) >= 1500
    assert len({item.id for item in TABLE}) == len(TABLE)


@by_id
def test_same_as_cpython(item: Case) -> None:
    routes = routes_of(item.function, ("graph",))
    assert differences(item.function, item.calls, routes) == []


@pytest.mark.slow
@by_id
def test_same_eagerly_and_from_text(item: Case) -> None:
    routes = routes_of(item.function, ("eager", TEXT))
    assert differences(item.function, item.calls, routes) == []


@pytest.mark.slow
@by_id
def test_same_without_a_pass(item: Case) -> None:
    routes = routes_of(item.function, SWITCHED_OFF)
    assert differences(item.function, item.calls, routes) == []


@pytest.mark.slow
@by_id
def test_optimized_text_reads_back(item: Case) -> None:
    function = staticpy.jit(item.function)
    for call in item.calls:
        module = function.lower(*call.args, **call.kwargs).compile().module
        text = print_module(module)
        read = parse_module(text, REGISTRY)
        assert read == module
        assert print_module(read) == text


@cache
def module_of(file: Path) -> StaticModule:
    return StaticModule(from_text(file.read_text(encoding="utf-8"), str(file)))


def check(item: Case) -> tuple[list[str], bool]:
    """The errors that ``check`` finds in a case and what it calls; whether it could decide."""
    module = module_of(ACCEPT / f"{item.area}.py")
    name = item.function.__qualname__
    unit = next(unit for unit in module.source.units if unit.qualname == name)
    found = Diagnostics()
    analysis = check_unit(unit, module, frozenset(), found, is_entry=True)
    errors = [each.message for each in found if each.spec.severity is Severity.ERROR]
    return errors, analysis is not None or bool(errors)


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
    messages, is_decided = check(item)
    error = compile_error(item)
    assert bool(messages) == bool(error) or not is_decided, (messages, error)
