"""Names: which are local, which come from outside, and which come from nowhere.

In: the validated ``gast`` node of a function. Out: a Scope tree. CPython's rule: a name that a
function binds anywhere is local to it everywhere; any other belongs to the nearest enclosing
function that binds it, else to the module, else to the builtins.
"""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import gast

from staticpy.diagnostics import Diagnostics, Label, catalog
from staticpy.frontend.parse import parameters_of
from staticpy.source import SourceUnit, children

_FUNCTIONS = (gast.FunctionDef, gast.Lambda)


class Lookup(Protocol):
    """What resolution asks of the scope around a function (see ``scope.Scope``)."""

    def lookup(self, name: str) -> Any:
        """The object with this name. Raises KeyError."""


@dataclass(eq=False, slots=True)
class FunctionNames:
    """The names of one function.

    ``locals`` are those that it binds, parameters first; ``free`` those that it or a function
    nested in it reads and it does not bind; ``reads`` its own reads, each with its node.
    """

    node: Any
    params: tuple[str, ...]
    locals: tuple[str, ...]
    free: frozenset[str] = frozenset()
    reads: list[Any] = field(default_factory=list)
    nested: dict[Any, FunctionNames] = field(default_factory=dict)
    """The functions nested directly in this one, by node."""

    def scope_of(self, node: Any) -> FunctionNames:
        """The names of a function nested in this one at any depth. Raises KeyError."""
        pending = [self]
        while pending:
            names = pending.pop()
            if names.node is node:
                return names
            pending.extend(names.nested.values())
        raise KeyError(node)

    @property
    def captured(self) -> frozenset[str]:
        """The local names that nested functions read."""
        free = frozenset[str]().union(*(inner.free for inner in self.nested.values()))
        return free.intersection(self.locals)


def resolve(node: Any) -> FunctionNames:
    """The names of a function and of those nested in it."""
    root = _bindings(node)
    found = [root]
    for names in found:
        for inner in _collect(names):
            names.nested[inner.node] = inner
            found.append(inner)
    for names in reversed(found):  # a nested function comes after the one around it
        own = {read.id for read in names.reads}
        inner_free = (inner.free for inner in names.nested.values())
        names.free = frozenset(own.union(*inner_free) - set(names.locals))
    return root


def _bindings(node: Any) -> FunctionNames:
    params = tuple(parameter.name for parameter in parameters_of(node))
    body = [] if isinstance(node, gast.Lambda) else node.body
    return FunctionNames(node, params, tuple(dict.fromkeys([*params, *assigned_names(body)])))


def _collect(names: FunctionNames) -> list[FunctionNames]:
    """Record the reads of a function; return the functions nested directly in it."""
    nested = []
    for node in own_nodes(names.node):
        if isinstance(node, _FUNCTIONS):
            nested.append(_bindings(node))
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            names.reads.append(node)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            names.reads.append(node.target)
    return nested


def own_nodes(function: Any) -> Iterator[Any]:
    """The nodes that run as part of ``function``, in the order of the text.

    A nested function is yielded, and so are its defaults, which are evaluated where it is defined;
    its body is not. Annotations aren't either.
    """
    body = function.body if isinstance(function.body, list) else [function.body]
    return iter_own(body)


def iter_own(roots: Iterable[Any]) -> Iterator[Any]:
    """``own_nodes`` of any statements or expressions."""
    pending = list(reversed(list(roots)))
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, _FUNCTIONS):
            inner = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
        elif isinstance(node, gast.AnnAssign):
            inner = [node.target, node.value]
        else:
            inner = children(node)
        pending.extend(reversed(inner))


def assigned_names(statements: Iterable[Any]) -> list[str]:
    """The names that ``statements`` bind, in text order: targets and nested functions."""
    names: dict[str, None] = {}
    for node in iter_own(statements):
        if isinstance(node, gast.FunctionDef):
            names[node.name] = None
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            names[node.id] = None
    return list(names)


# --- names from nowhere
# -----------------------------------------------------------------------------


def report_undefined_names(
    node: Any, unit: SourceUnit, scope: Lookup, diagnostics: Diagnostics
) -> bool:
    """Report every read of a name that is nowhere; return whether there is none.

    Such a name is bound neither in the function nor in the scope around it.
    """
    is_valid = True
    pending = [(resolve(node), frozenset[str]())]
    while pending:
        names, around = pending.pop()
        visible = around.union(names.locals)
        for read in names.reads:
            if read.id not in visible and not _exists(scope, read.id):
                near = nearest_name(read.id, [*visible, *_outer_names(unit, scope)])
                span = unit.span(read)
                labels = (Label(span, f"did you mean '{near}'?"),) if near else ()
                diagnostics.add(catalog.UNDEFINED_NAME, span, labels, name=read.id)
                is_valid = False
        pending.extend((inner, visible) for inner in reversed(names.nested.values()))
    return is_valid


def _exists(scope: Lookup, name: str) -> bool:
    try:
        scope.lookup(name)
    except KeyError:
        return False
    return True


def _outer_names(unit: SourceUnit, scope: Lookup) -> list[str]:
    """The names of the module and of the builtins that exist."""
    named = {getattr(node, "id", "") for node in ast.walk(unit.source.tree)}
    named |= {getattr(node, "name", "") for node in unit.source.tree.body}
    named |= {
        alias.asname or alias.name
        for node in unit.source.tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return [name for name in [*named, *dir(builtins)] if name and _exists(scope, name)]


def nearest_name(name: str, known: Iterable[str]) -> str:
    """The known name that is spelt most like ``name``; empty if none is near."""
    matches = difflib.get_close_matches(name, sorted(set(known) - {name}), n=1, cutoff=0.75)
    return matches[0] if matches else ""
