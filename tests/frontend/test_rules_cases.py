"""A file of ``tests/cases/rules`` for a rule: what it finds, and what comes near and must pass.

Each file is named after the slug of its rule. Of the functions in it at least three hold a line
that ends in ``# error: CODE``, and at least two are near misses without one. ``check`` finds these
and no others; and of the decorated functions ``jit`` compiles those in which it finds no error.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import Severity, catalog
from staticpy.frontend import Stages, check_file, declared_arguments
from staticpy.frontend.static_scope import StaticModule
from staticpy.ir import BOOL, FLOAT, INT, TensorType
from staticpy.runtime import derive
from staticpy.source import SourceFile, from_text
from tests.check.test_rules_of_texts import REFUSED

FOLDER = Path(__file__).parent.parent / "cases" / "rules"
FILES = sorted(FOLDER.glob("*.py"))
EXPECTED = re.compile(r"# error: (SPY\d{3}(?:, SPY\d{3})*)")
REJECTED_AT_LEAST, NEAR_MISSES_AT_LEAST = 3, 2
SIZE = 3
"""What every size is that has a name."""


def code_of(path: Path) -> str:
    spec = catalog.find(path.stem.replace("_", "-"))
    assert spec is not None
    return spec.code


def expected(text: str) -> list[tuple[int, str]]:
    return sorted(
        (number, code)
        for number, line in enumerate(text.split("\n"), start=1)
        if (match := EXPECTED.search(line))
        for code in match[1].split(", ")
    )


def found(path: Path) -> list[Any]:
    report = check_file(path.read_text(), str(path), say_unchecked=True, stages=Stages(derive))
    return [item for item in report.diagnostics if item.severity is not Severity.INFO]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_check_finds_these_and_no_others(path: Path) -> None:
    lines = [(item.span.line, item.code) for item in found(path)]
    assert sorted(lines) == expected(path.read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_there_are_enough_cases(path: Path) -> None:
    text, code = path.read_text(), code_of(path)
    source = from_text(text, str(path))
    tops = [unit for unit in source.units if unit.parent is None]
    hit = {
        unit.qualname
        for unit in tops
        for line, each in expected(text)
        if each == code and unit.first_line <= line <= (unit.node.end_lineno or 0)
    }
    near = {unit.qualname for unit in tops if "# error" not in segment(unit, source)}
    assert len(hit) >= REJECTED_AT_LEAST
    assert len(near) >= NEAR_MISSES_AT_LEAST


def segment(unit: Any, source: SourceFile) -> str:
    return "\n".join(source.lines[unit.first_line - 1 : unit.node.end_lineno])


# --- jit ------------------------------------------------------------------------------------------


def example(type_: Any) -> Any:
    """An argument of a declared type."""
    if isinstance(type_, TensorType):
        shape = tuple(dim if isinstance(dim, int) else SIZE for dim in type_.dims)
        return np.ones(shape, type_.dtype)
    return {INT: 1, FLOAT: 1.5, BOOL: True}[type_]


def jitted(path: Path) -> Iterator[tuple[str, list[Any]]]:
    """The compiled functions of a file, with an argument for each parameter."""
    module = StaticModule(from_text(path.read_text(), str(path)))
    for item in module.jitted():
        if item.static or item.unit.parent is not None or not item.unit.decorators:
            continue  # not compiled where the file is run
        arguments = declared_arguments(item.unit, module, item.static)
        assert arguments is not None
        yield item.unit.qualname, [example(declared.tree) for declared in arguments.values()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_jit_compiles_what_check_does_not_refuse(path: Path) -> None:
    name = f"rules_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        compiled = {
            function: compiles(getattr(module, function), a) for function, a in jitted(path)
        }
    finally:
        del sys.modules[name]
    report = check_file(path.read_text(), str(path), stages=Stages(derive))
    refused = {each.span.function for each in report.functions if each.fixes} & compiled.keys()
    assert {name for name, is_fine in compiled.items() if not is_fine} == refused


def compiles(function: Any, arguments: list[Any]) -> bool:
    try:
        function.lower(*arguments).compile()
    except staticpy.CompileError:
        return False
    return True


# --- codes without a file -------------------------------------------------------------------------

NOT_OF_CHECK = {
    "a path, which the command says itself: tests/cli/test_safety.py": "002",
    "live functions and what they are called with: tests/runtime": (
        "007 008 009 010 602 604 625 626 627"
    ),
    "objects and caches of the program, which check passes over: tests/frontend/test_objects.py, "
    "tests/nn/test_hooks.py, tests/diagnostics/test_examples.py": "631 636 645 713",
    "what the text would have to say, of 'show' and of embedders: tests/frontend/test_embed.py, "
    "tests/cli/test_commands.py": "306 610 611 612",
    "Tensors on the tape: tests/autodiff": "708 710 711",
    "an error of staticpy's own, or of a graph's text: tests/ir": "901 902 904",
    "what a backend has no form of, a backend made for the test: tests/cli/test_options.py": "903",
}
"""Codes that ``check`` does not find in the text of a file, by why, and where their tests are."""


def test_each_code_that_check_can_report_has_its_cases() -> None:
    elsewhere = {f"SPY{number}" for each in NOT_OF_CHECK.values() for number in each.split()}
    here = {code_of(path) for path in FILES} | REFUSED.keys()
    assert not here & elsewhere
    assert here | elsewhere == {spec.code for spec in catalog.ALL}
