"""From source to gast: decorators, parameters, private names, and how deep is too deep."""

from __future__ import annotations

import ast
import sys
import typing
from pathlib import Path

import gast
import pytest

from staticpy.diagnostics import Diagnostics
from staticpy.frontend.convert import to_gast
from staticpy.frontend.parse import is_deep, parameters_of, parse
from staticpy.source import SourceError, from_text, read_text
from tests.frontend.helpers import tree_of, unit_of


def test_the_tree_is_a_copy_without_decorators() -> None:
    unit = unit_of('@a\n@b(1)\ndef f(x):\n    """Text."""\n    return x')
    tree = parse(unit, Diagnostics())
    assert tree.decorator_list == []
    assert len(unit.decorators) == 2
    assert [type(node).__name__ for node in tree.body] == ["Expr", "Return"]
    assert tree.body[0].value.value == "Text."
    assert unit.span(tree.body[1]).line == 5


def test_a_lambda() -> None:
    tree = tree_of("g = lambda x, /, y=1: x + y")
    assert isinstance(tree, gast.Lambda)
    assert [parameter.name for parameter in parameters_of(tree)] == ["x", "y"]


PARAMETERS = [
    ("()", []),
    ("(a, b)", [("a", "positional", None), ("b", "positional", None)]),
    ("(a, /, b=1)", [("a", "positional_only", None), ("b", "positional", 1)]),
    (
        "(a, b=1, /, c=2, *, d, e=3)",
        [
            ("a", "positional_only", None),
            ("b", "positional_only", 1),
            ("c", "positional", 2),
            ("d", "keyword_only", None),
            ("e", "keyword_only", 3),
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), PARAMETERS)
def test_parameters(text: str, expected: list[tuple[str, str, int | None]]) -> None:
    found = [
        (parameter.name, parameter.kind, parameter.default and parameter.default.value)
        for parameter in parameters_of(tree_of(f"def f{text}: pass"))
    ]
    assert found == expected


def test_annotations_of_parameters() -> None:
    first, second = parameters_of(tree_of("def f(a: int, b=2): pass"))
    assert first.annotation.id == "int"
    assert second.annotation is None
    assert first.node.lineno == 1


MANGLED = [
    ("class A:\n    def f(self): return self.__x", "_A__x"),
    ("class __A:\n    def f(self): return self.__x", "_A__x"),
    ("class A:\n    def f(self): return __x", "_A__x"),
    ("class A:\n    def f(self): return g(__x=1)", "_A__x"),
    ("class A:\n    def f(self, __x): pass", "_A__x"),
    ("class A:\n    def f(self):\n        def __x(): pass", "_A__x"),
    ("class _:\n    def f(self): return self.__x", "__x"),
    ("class A:\n    def f(self): return self.__x__", "__x__"),
    ("def f(self): return self.__x", "__x"),
]


@pytest.mark.parametrize(("text", "name"), MANGLED)
def test_private_names(text: str, name: str) -> None:
    names = {
        getattr(node, field, None)
        for node in gast.walk(tree_of(text))
        for field in ("id", "attr", "arg", "name")
    }
    assert {item for item in names if item and "__" in item} == {name}


DEEP = {
    "sum": "def f(x):\n    return x{}".format(" + x" * 2_900),
    "elif": "def f(x):\n    if x: pass\n{}".format("    elif x: pass\n" * 2_900),
    "attributes": "def f(x):\n    return x{}".format(".a" * 2_900),
    "nots": "def f(x):\n    return {}x".format("not " * 2_900),
}


@pytest.mark.parametrize("name", DEEP)
def test_what_python_compiles_is_parsed(name: str) -> None:
    unit, diagnostics = unit_of(DEEP[name]), Diagnostics()
    assert is_deep(unit)
    assert parse(unit, diagnostics) is not None
    assert not diagnostics


@pytest.mark.parametrize("name", DEEP)
def test_nesting_is_capped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("staticpy.frontend.convert.MAX_DEPTH", 2_000)
    unit, diagnostics = unit_of(DEEP[name]), Diagnostics()
    assert parse(unit, diagnostics) is None
    (diagnostic,) = diagnostics
    assert diagnostic.spec.slug == "nesting-too-deep"
    assert diagnostic.span.line >= 2


def test_little_stack_is_enough() -> None:
    unit, diagnostics = unit_of("def f(x):\n    return {}x".format("not " * 150)), Diagnostics()
    limit = sys.getrecursionlimit()

    def descend(depth: int) -> object:
        return parse(unit, diagnostics) if depth == 0 else descend(depth - 1)

    assert descend(limit - 200) is not None


def test_the_tree_is_that_of_gast() -> None:
    cases = Path(__file__).parent.parent / "cases"
    texts = [*cases.glob("*/*.py"), Path(ast.__file__), Path(typing.__file__), Path(__file__)]
    compared = 0
    for path in texts:
        try:
            units = from_text(read_text(path), str(path)).units
        except SourceError:
            continue
        for unit in units:
            expected = gast.dump(gast.ast_to_gast(unit.node), include_attributes=True)
            assert gast.dump(to_gast(unit.node).node, include_attributes=True) == expected
            compared += 1
    assert compared > 500


def test_wide_is_not_deep() -> None:
    assert not is_deep(unit_of("def f(x):\n" + "    x = x + 1\n" * 5000))
    assert len(tree_of("def f(x):\n" + "    x = x + 1\n" * 5000).body) == 5000
