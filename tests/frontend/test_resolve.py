"""Names: local, free, captured, undefined."""

from __future__ import annotations

import symtable
from pathlib import Path
from typing import Any

import gast
import pytest

from staticpy.diagnostics import Diagnostics
from staticpy.frontend.parse import parse
from staticpy.frontend.resolve import (
    FunctionNames,
    assigned_names,
    report_undefined_names,
    resolve,
)
from staticpy.frontend.validate import validate
from staticpy.source import from_text, read_text
from tests.frontend.helpers import function, tree_of, unit_of

TEXT = """
def f(a, b=c, /, *, d=e):
    for i, (j, [k]) in g(a):
        l = m = n
        o += 1
    p: q = r
    def s(t, u=v):
        w = t + a + x
        return lambda y: y + w + z + i
    return [b, A.c]
"""


def test_names() -> None:
    names = resolve(tree_of(TEXT))
    assert names.params == ("a", "b", "d")
    assert names.locals == ("a", "b", "d", "i", "j", "k", "l", "m", "o", "p", "s")
    # Defaults of the function itself belong to what is around it; those of a nested one do not.
    assert names.free == {"g", "n", "r", "v", "x", "z", "A"}
    assert names.captured == {"a", "i"}
    (inner,) = names.nested.values()
    assert inner.locals == ("t", "u", "w")
    assert inner.free == {"a", "x", "z", "i"}
    (lambda_,) = inner.nested.values()
    assert lambda_.locals == ("y",)
    assert names.scope_of(lambda_.node) is lambda_
    with pytest.raises(KeyError):
        names.scope_of(names.node.body[0])


ASSIGNED = [
    ("x = y", ["x"]),
    ("x = y = z", ["x", "y"]),
    ("(a, [b, c]), d = e", ["a", "b", "c", "d"]),
    ("x += y", ["x"]),
    ("x: int = 1", ["x"]),
    ("def g(a): b = a", ["g"]),
    ("g = lambda a: a", ["g"]),
    ("for i in x:\n        j = i", ["i", "j"]),
    ("while x:\n        y = x", ["y"]),
    ("if a:\n        x = 1\n    else:\n        y = 1", ["x", "y"]),
    ("return x", []),
]


@pytest.mark.parametrize(("text", "names"), ASSIGNED)
def test_assigned_names(text: str, names: list[str]) -> None:
    assert assigned_names(tree_of(f"def f():\n    {text}").body) == names


def compare(names: FunctionNames, table: symtable.SymbolTable) -> None:
    """Check one function, and those in it, against CPython's own symbol table."""
    symbols = {symbol.get_name(): symbol for symbol in table.get_symbols()}
    local = {name for name, symbol in symbols.items() if symbol.is_local()}
    assert set(names.locals) == local
    referenced = {name for name, symbol in symbols.items() if symbol.is_referenced()}
    reads = {read.id for read in names.reads if not isinstance(read.ctx, gast.Store)}
    assert reads == referenced  # in which CPython leaves out the targets of `+=`
    assert {name for name, symbol in symbols.items() if symbol.is_free()} <= names.free
    nested = sorted(
        names.nested.values(), key=lambda item: (item.node.lineno, item.node.col_offset)
    )
    tables = [child for child in table.get_children() if child.get_type() == "function"]
    assert len(nested) == len(tables)
    for inner, child in zip(nested, tables, strict=True):
        compare(inner, child)


def test_the_names_are_those_of_cpython() -> None:
    path = Path(__file__).parent.parent / "cases" / "accept"
    compared = 0
    for file in sorted(path.glob("*.py")):
        source = from_text(read_text(file), str(file))
        tables = symtable.symtable(source.text, str(file), "exec").get_children()
        by_name = {table.get_name(): table for table in tables}
        for unit in source.units:
            diagnostics = Diagnostics()
            node = parse(unit, diagnostics)
            validate(node, unit, diagnostics)
            if unit.qualname in by_name and not len(diagnostics) and not _reads_annotations(node):
                compare(resolve(node), by_name[unit.qualname])
                compared += 1
    assert compared > 100


def _reads_annotations(node: Any) -> bool:
    """CPython evaluates the annotations of a nested function; ``resolve`` leaves them out."""
    return any(
        isinstance(inner, gast.FunctionDef)
        and (inner.returns or any(a.annotation for a in inner.args.args))
        for inner in gast.walk(node)
        if inner is not node
    )


class Names:
    """A scope with these names."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def lookup(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        return name


def undefined(text: str, *known: str) -> list[tuple[str, int, list[str]]]:
    unit, diagnostics = unit_of(text), Diagnostics()
    node = parse(unit, diagnostics)
    report_undefined_names(node, unit, Names(*known), diagnostics)
    return [
        (str(item.args["name"]), item.span.line, [label.text for label in item.labels])
        for item in diagnostics
    ]


def test_undefined_names() -> None:
    text = function("y = x + a", "def g(b, c=d):", "    return b + y + e", "return h + x")
    assert undefined(text, "a", "h") == [("d", 3, []), ("e", 4, [])]
    assert undefined(text, "a", "d", "e", "h") == []


def test_a_name_that_is_assigned_later_is_defined() -> None:
    assert undefined(function("y = z", "z = 1")) == []


SUGGESTIONS = [
    (function("return facotr", head="def f(factor):"), [], "factor"),
    (function("return lenn(x)"), ["len"], "len"),
    ("import numpy\n" + function("return nunpy.tanh(x)"), ["numpy"], "numpy"),
    ("def other(): pass\n" + function("return othr(x)"), ["other"], "other"),
    ("weights = 1\n" + function("return wieghts"), ["weights"], "weights"),
]


@pytest.mark.parametrize(("text", "known", "wanted"), SUGGESTIONS)
def test_suggestions(text: str, known: list[str], wanted: str) -> None:
    unit, diagnostics = from_text(text, "a.py").units[-1], Diagnostics()
    report_undefined_names(parse(unit, diagnostics), unit, Names(*known), diagnostics)
    (item,) = diagnostics
    assert [label.text for label in item.labels] == [f"did you mean '{wanted}'?"]
