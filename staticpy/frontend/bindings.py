"""The places of a text that bind names, in a module or in a function.

In: the statements of a body. Out: for each name, the places that bind it, and whether each surely
runs. What an import binds is written down as it stands there: nothing is looked for here.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from staticpy.frontend.inputs import UNKNOWN_VALUE
from staticpy.frontend.trusted import imported, is_trusted
from staticpy.source import children, descendants

Version = tuple[int, int]
"""A version of Python: 3 and 12."""
THIS_VERSION: Version = sys.version_info[:2]
_ALL_NAMES = ("globals", "locals", "vars")
_HIDDEN_BINDERS = (*_ALL_NAMES, "exec", "eval")
_OF_OBJECTS = ("setattr", "vars")
"""What binds names of a module where it is given that."""
_WAYS_TO_MODULES = ("__import__", "__main__", "getmodule", "import_module", "modules")
"""The names, such as that of ``sys.modules``, by which a text reaches its own module."""
_HEADER_FIELDS = ("decorator_list", "bases", "keywords")
_IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError", "Exception")


@dataclass(unsafe_hash=True, slots=True)
class Binding:
    """One place that binds a name: a value, to which nobody writes (see ``SourceSpan``).

    Of an import, ``module`` is what it names, as ``numpy.linalg`` or, with its dots, ``..pkg``, and
    ``name`` what it takes of that; "" for the module itself.
    """

    node: ast.AST
    is_certain: bool
    module: str = ""
    name: str = ""

    @property
    def origin(self) -> str | None:
        """The dotted path that an import names; None for a relative one, and for all else."""
        if not self.module or self.module.startswith("."):
            return None
        return f"{self.module}.{self.name}" if self.name else self.module


class Bindings:
    """The names that one module or function body binds."""

    def __init__(self, body: list[ast.stmt], version: Version = THIS_VERSION) -> None:
        self.by_name: dict[str, list[Binding]] = {}
        self.stars: list[Binding] = []
        """Each ``from module import *``."""
        self.modules: set[str] = set()
        """What the imports name, with their dots."""
        self.is_open = False
        """Whether it may bind names that are not written, as ``globals()`` can."""
        self._only_read: set[ast.AST] = set()
        self._given: list[ast.expr] = []
        pending: list[tuple[ast.AST, bool]] = [(statement, True) for statement in reversed(body)]
        while pending:
            node, is_certain = pending.pop()
            self._bind(node, is_certain)
            live = _live_branch(node, version) if isinstance(node, ast.If) else None
            if live is None:
                pending.extend(reversed(list(_binders(node, is_certain))))
            else:
                pending.extend((statement, is_certain) for statement in reversed(live))
        self.is_open |= bool(self._given) and self._may_give_module(body)

    def add(self, name: str, binding: Binding) -> None:
        """Note one more place that binds ``name``."""
        self.by_name.setdefault(name, []).append(binding)

    def _bind(self, node: ast.AST, is_certain: bool) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, is_certain)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.add(node.name, Binding(node, is_certain))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if len(node.targets) == 1:
                self.add(node.targets[0].id, Binding(node, is_certain))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self.add(node.target.id, Binding(node, is_certain and node.value is not None))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.add(node.id, Binding(node, False))
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            self.add(node.name, Binding(node, False))
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self.add(node.rest, Binding(node, False))
        elif isinstance(node, ast.keyword | ast.Subscript):
            self._only_read.update(_names_read(node))
        elif isinstance(node, ast.Call) and node not in self._only_read:
            name = getattr(node.func, "id", "")
            if name in _OF_OBJECTS and node.args:
                self._given.append(node.args[0])
            else:
                self.is_open |= name in _HIDDEN_BINDERS

    def _may_give_module(self, body: list[ast.stmt]) -> bool:
        """Whether what ``setattr`` or ``vars`` gets may be the module: not the classes and objects
        of scripts, as in ``print(vars(options))``, but what an import binds, or anything where the
        text reaches for modules.
        """
        for given in self._given:
            found = self.by_name.get(_root(given), ())
            if isinstance(given, ast.Starred) or any(each.module for each in found):
                return True
        nodes = (node for statement in body for node in (statement, *descendants(statement)))
        return any(_named(node) in _WAYS_TO_MODULES for node in nodes)

    def _import(self, node: ast.Import | ast.ImportFrom, is_certain: bool) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                self.modules.add(alias.name)
                top = alias.name.partition(".")[0]
                module = alias.name if alias.asname else top
                self.add(alias.asname or top, Binding(node, is_certain, module))
                continue
            module = "." * node.level + (node.module or "")
            self.modules.update((module, _below(module, alias.name)))
            binding = Binding(node, is_certain, module, alias.name)
            if alias.name == "*":
                self.stars.append(binding)
            else:
                self.add(alias.asname or alias.name, binding)

    def only(self, name: str) -> Binding | None:
        """The one place that binds ``name``; None where there are several."""
        found = self.by_name.get(name, [])
        imports = {(binding.module, binding.name) for binding in found}
        if len(imports) == 1 and ("", "") not in imports:  # ``import numpy as np`` twice is one
            return found[0]
        return found[0] if len(found) == 1 else None


def _root(node: ast.expr) -> str:
    """``np`` of ``np.linalg``; "" for what is no name with attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _named(node: ast.AST) -> str:
    """The name that a node reads, as a variable, an attribute or an import."""
    if isinstance(node, ast.alias):
        return node.name
    return str(getattr(node, "attr", "") or getattr(node, "id", ""))


def _live_branch(node: ast.If, version: Version) -> list[ast.stmt] | None:
    """The branch that runs of a test of ``sys.version_info``; None for any other test."""
    match node.test:
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id="sys"), attr="version_info"),
            ops=[ast.Lt() | ast.GtE() as operator],
            comparators=[ast.Tuple(elts=[ast.Constant(value=int()), *rest] as items)],
        ) if all(isinstance(item, ast.Constant) for item in rest):
            bound = tuple(item.value for item in items if isinstance(item, ast.Constant))
        case _:
            return None
    if len(bound) > len(version) or not all(isinstance(each, int) for each in bound):
        return None  # the last number of the running Python is nobody's business
    is_later = version >= bound
    return node.body if is_later is isinstance(operator, ast.GtE) else node.orelse


def _names_read(node: ast.keyword | ast.Subscript) -> Iterator[ast.AST]:
    """The call that gives all names, where nothing is done but to read them, as scripts do in
    ``main(**vars(options))``.
    """
    is_spread = isinstance(node, ast.keyword) and node.arg is None
    is_item = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    value = node.value if is_spread or is_item else None
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") in _ALL_NAMES:
        yield value


def may_bind_globally(tree: ast.AST) -> bool:
    """Whether ``globals()`` of any function may bind names of the module."""
    nodes = list(descendants(tree))
    holders = (node for node in nodes if isinstance(node, ast.keyword | ast.Subscript))
    read = {call for holder in holders for call in _names_read(holder)}
    calls = (node for node in nodes if isinstance(node, ast.Call) and node not in read)
    return any(getattr(call.func, "id", "") == "globals" for call in calls)


def _below(module: str, name: str) -> str:
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"


def _binders(node: ast.AST, is_certain: bool) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes in ``node`` that bind names in the same scope, and whether they surely run."""
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        headers = (item for field in _HEADER_FIELDS for item in getattr(node, field, ()))
        yield from ((item, False) for item in headers)
        return
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if len(targets) > 1 or not isinstance(targets[0], ast.Name):
            yield from ((target, False) for target in targets)
        if node.value is not None:
            yield node.value, False
        return
    if isinstance(node, ast.Try) and _is_fallback(node):
        yield from ((item, is_certain) for item in (*node.body, *node.orelse, *node.finalbody))
    elif is_certain and isinstance(node, ast.Try | ast.With):
        surely = set(map(id, node.body))
        yield from ((item, id(item) in surely) for item in children(node))
    else:
        yield from ((item, False) for item in children(node))


def _is_fallback(node: ast.Try) -> bool:
    """Whether the handlers stand in for imports that succeed here: they never run."""
    catches = all(
        handler.type is None or getattr(handler.type, "id", "") in _IMPORT_ERRORS
        for handler in node.handlers
    )
    return catches and all(map(_succeeds, node.body))


def _succeeds(node: ast.stmt) -> bool:
    """Whether a statement is an import of what there surely is."""
    if isinstance(node, ast.Import):
        return all(_exists(alias.name) for alias in node.names)
    if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
        return False
    return all(alias.name == "*" or _exists(f"{node.module}.{alias.name}") for alias in node.names)


def _exists(path: str) -> bool:
    return is_trusted(path) and imported(path) is not UNKNOWN_VALUE
