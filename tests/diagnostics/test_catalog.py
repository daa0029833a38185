"""The catalogue is in order, and what raises its kinds fills their templates."""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from staticpy.diagnostics import DiagnosticSpec, Severity, catalog, category

PACKAGE = Path(__file__).parents[2] / "staticpy"
SPECS = [pytest.param(spec, id=spec.code) for spec in catalog.ALL]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("spec", SPECS)
def test_entry(spec: DiagnosticSpec) -> None:
    assert re.fullmatch(r"SPY\d{3}", spec.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", spec.slug)
    assert getattr(catalog, spec.slug.replace("-", "_").upper()) is spec
    assert category(spec.code)
    assert fields(spec.help) <= fields(spec.message) | {"call", "keys", "name", "way_out"}
    assert "\n" not in spec.message
    assert not spec.message.endswith(".")
    for text in (spec.message, spec.help, spec.explanation, spec.bad, spec.good):
        assert text.strip()
    assert spec.bad != spec.good
    assert not (spec.is_preview and spec.severity is Severity.ERROR), "an error is the compiler's"


def test_codes_and_slugs_are_unique_and_in_order() -> None:
    codes = [spec.code for spec in catalog.ALL]
    assert codes == sorted(set(codes))
    assert len({spec.slug for spec in catalog.ALL}) == len(codes)


def test_a_node_has_one_code() -> None:
    nodes = [node for spec in catalog.ALL for node in spec.nodes]
    assert len(nodes) == len(set(nodes))


@pytest.mark.parametrize("name", ["SPY402", "spy402", "branch-type-mismatch"])
def test_find(name: str) -> None:
    assert catalog.find(name) is catalog.BRANCH_TYPE_MISMATCH
    assert catalog.by_code("SPY402") is catalog.BRANCH_TYPE_MISMATCH


def test_find_nothing() -> None:
    assert catalog.find("SPY000") is None


def test_importing_diagnostics_loads_no_numpy() -> None:
    program = "import sys, staticpy.diagnostics; sys.exit('numpy' in sys.modules)"
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, check=False, cwd=PACKAGE.parent).returncode == 0


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name != "catalog":
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def catalog_name(node: ast.AST) -> str | None:
    """``X`` of the expression ``catalog.X``."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.attr if node.value.id == "catalog" and node.attr.isupper() else None
    return None


def test_names_exist() -> None:
    missing = [
        f"{path.name}:{node.lineno} {name}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if (name := catalog_name(node)) is not None and not hasattr(catalog, name)
        if isinstance(node, ast.expr)
    ]
    assert missing == []


def test_templates_are_filled_where_they_are_raised() -> None:
    incomplete = []
    for path, tree in trees():
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call):
                continue
            given = {keyword.arg for keyword in call.keywords}
            for name in filter(None, map(catalog_name, call.args)):
                spec = getattr(catalog, name)
                if not isinstance(spec, DiagnosticSpec) or None in given or _gives_dict(call):
                    continue
                missing = (fields(spec.message) | fields(spec.help)) - given
                if missing and _raises(call):
                    incomplete.append(f"{path.name}:{call.lineno} {name}: {sorted(missing)}")
    assert incomplete == []


def _raises(call: ast.Call) -> bool:
    """Whether a call makes a diagnostic: by its name, as no other call takes a kind."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in {"DiagnosticError", "add", "error", "Diagnostic"}


def _gives_dict(call: ast.Call) -> bool:
    """Whether the values are given as one dict, as ``Diagnostic`` takes them."""
    return isinstance(call.func, ast.Name) and call.func.id == "Diagnostic"
