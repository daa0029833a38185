"""The layers of the package, as the design draws them, hold in the code.

    source ◄ diagnostics ◄ ir ◄ ops ◄ {frontend | autodiff | passes} ◄ backends ◄ runtime
           ◄ {nn | optim | xp} ◄ check ◄ {cli | testing | __init__ | __main__}

``nn``, ``optim`` and ``xp`` are programs in the language, which only programs import.

Read from the syntax trees, so that an import counts wherever it stands, ``TYPE_CHECKING`` ones
included.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "staticpy"

LAYERS = [
    {"source"},
    {"diagnostics"},
    {"ir"},
    {"ops"},
    {"frontend", "autodiff", "passes"},
    {"backends"},
    {"runtime"},
    {"nn", "optim", "xp"},
    {"check"},
    {"cli", "server", "pytest_plugin", "pytest_items", "testing", "__init__", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

ENTRANCES = {
    "__init__": set(LEVEL),
    "__main__": {"cli"},
    "cli": {"__init__"},
    "server": {"__init__"},
}
"""What stands at the top and may import its own level."""

SOLE_IMPORTERS = {
    "gast": "frontend",
    "astunparse": "backends.python_source",
    "llvmlite": "backends.llvm",
    "lsprotocol": "server",
    "pygls": "server",
}
"""Third-party modules that one package alone may import."""

OPTIONAL = {"llvmlite", "lsprotocol", "pygls", "safetensors", "scipy"}
"""What may be missing, and so may be imported inside a function."""

MAX_LINES = 500


@dataclass(frozen=True)
class Import:
    """One imported module: where, as written, what it resolves to, and whether in a function."""

    importer: str
    written: str
    target: str
    line: int
    is_local: bool

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports from {self.written}"


def module_name(path: Path) -> str:
    """``staticpy/ir/core.py`` is ``staticpy.ir.core``; a package is named by its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def unit_of(module: str) -> str:
    """The layer's name for a module: ``staticpy.ir.core`` is in ``ir``."""
    return module.split(".")[1] if "." in module else "__init__"


def nodes_with_depth(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Every node, and whether a function holds it."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_local = pending.pop()
        yield node, is_local
        inside = is_local or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        pending.extend((child, inside) for child in ast.iter_child_nodes(node))


def targets(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The modules that an import names, as written and as it resolves."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"line {node.lineno}: relative import"
        module = node.module or ""
        for alias in node.names:
            full = f"{module}.{alias.name}"
            yield module, full if full in modules() else module


@cache
def imports() -> tuple[Import, ...]:
    found: list[Import] = []
    for name, path in modules().items():
        for node, is_local in nodes_with_depth(ast.parse(path.read_text(encoding="utf-8"))):
            line = getattr(node, "lineno", 0)
            found += [Import(name, *target, line, is_local) for target in set(targets(node))]
    return tuple(found)


def internal() -> list[Import]:
    return [each for each in imports() if each.target.split(".")[0] == "staticpy"]


def report(wrong: list[Import]) -> str:
    return "\n".join(map(str, wrong))


def test_every_module_has_a_layer() -> None:
    assert len(modules()) > 30
    assert {unit_of(name) for name in modules()} <= set(LEVEL)


def test_imports_go_down() -> None:
    def goes_down(each: Import) -> bool:
        importer, target = unit_of(each.importer), unit_of(each.target)
        if importer == target or target in ENTRANCES.get(importer, ()):
            return True
        return LEVEL[target] < LEVEL[importer]

    wrong = [each for each in internal() if not goes_down(each)]
    assert not wrong, report(wrong)


def test_backends_do_not_import_each_other() -> None:
    def backend(module: str) -> str | None:
        parts = module.split(".")
        path = PACKAGE.joinpath(*parts[1:3])
        return parts[2] if parts[1:2] == ["backends"] and len(parts) > 2 and path.is_dir() else None

    wrong = [
        each
        for each in internal()
        if backend(each.importer) and backend(each.target) not in (None, backend(each.importer))
    ]
    assert not wrong, report(wrong)


def test_other_packages_import_the_facade() -> None:
    def is_facade(each: Import) -> bool:
        depth = 3 if each.target.startswith("staticpy.backends.") else 2
        return unit_of(each.importer) == unit_of(each.target) or each.written.count(".") < depth

    wrong = [each for each in internal() if not is_facade(each)]
    assert not wrong, report(wrong)


def test_no_import_inside_a_function() -> None:
    wrong = [
        each for each in imports() if each.is_local and each.target.split(".")[0] not in OPTIONAL
    ]
    assert not wrong, report(wrong)


def test_no_cycle() -> None:
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for each in internal():
        if each.target in graph and each.target != each.importer:
            graph[each.importer].add(each.target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" ◄ ".join(error.args[1]))


@pytest.mark.parametrize(("dependency", "owner"), SOLE_IMPORTERS.items())
def test_one_package_alone_imports(dependency: str, owner: str) -> None:
    wrong = [
        each
        for each in imports()
        if each.target.split(".")[0] == dependency
        and not each.importer.startswith(f"staticpy.{owner}")
    ]
    assert not wrong, report(wrong)


def test_files_are_short() -> None:
    lengths = {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for name, path in modules().items()
        if not path.name.startswith("_") or path.name == "__init__.py"  # _grammar.py is generated
    }
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_every_module_says_where_it_stands() -> None:
    undocumented = [
        name
        for name, path in modules().items()
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert undocumented == []
