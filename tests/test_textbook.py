"""Plain NumPy functions in the style of textbooks: ``check`` has nothing to say of them, with their
annotations and without, and they are compiled as they stand.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import staticpy
from staticpy.frontend import Stages, Verdict, check_file
from staticpy.runtime import derive
from tests.support.observing import Call, differences
from tests.support.routes import routes_of

FOLDER = Path(__file__).parent / "cases" / "textbook"
FILES = sorted(FOLDER.glob("*.py"))
AT_LEAST = 50


def load(path: Path) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The functions of a file, each with the arguments that it is tried on."""
    spec = importlib.util.spec_from_file_location(f"textbook_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: (getattr(module, name), args) for name, args in module.EXAMPLES.items()}


FUNCTIONS = {name: item for path in FILES for name, item in load(path).items()}


def test_there_are_enough() -> None:
    assert len(FUNCTIONS) >= AT_LEAST


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_check_finds_nothing(path: Path) -> None:
    stages = Stages(derive)
    report = check_file(path.read_text(), str(path), "all", say_unchecked=True, stages=stages)
    assert [(str(item.span), item.message) for item in report.diagnostics] == []
    # Every one is known to the last type, and is tried below.
    assert {each.span.function for each in report.functions} == set(load(path))
    assert all(each.verdict is Verdict.READY and not each.is_partial for each in report.functions)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_check_finds_nothing_without_annotations(path: Path) -> None:
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    report = check_file(ast.unparse(tree), str(path), "all", stages=Stages(derive))
    assert list(report.diagnostics) == []
    assert all(each.is_partial for each in report.functions)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_same_as_cpython(name: str) -> None:
    function, args = FUNCTIONS[name]
    staticpy.jit(function).lower(*args)
    assert differences(function, (Call(args),), routes_of(function, ("graph",))) == []
