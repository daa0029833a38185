"""Variables that only some paths bind: hints, which keep nothing from being compiled.

In: the FunctionNames of a function. Out: a warning for each variable that is
read where a path leads on which nothing has bound it (``unbound_paths``): CPython and the compiled
function raise UnboundLocalError there. That a loop has no round is a warning of its own, in
preview: what a program goes through mostly has items.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

from staticpy.diagnostics import Diagnostic, DiagnosticSpec, Label, catalog
from staticpy.frontend.known_tests import Tests
from staticpy.frontend.liveness import blocks_of, header
from staticpy.frontend.nodes import forms
from staticpy.frontend.resolve import FunctionNames, bound_by, iter_own, target_names
from staticpy.frontend.summaries import always_matches, surely_bound
from staticpy.frontend.unbound_paths import Search, scopes
from staticpy.source import SourceUnit

_SIMPLE = forms(
    "AnnAssign", "Assert", "Assign", "AugAssign", "Expr", "FunctionDef", "Import", "ImportFrom",
    "Pass",
)  # fmt: skip
_LEAVES = forms("Break", "Continue", "Raise", "Return")
_BRANCHES, _LOOPS, _CONTEXTS = forms("If"), forms("For"), forms("With")
_ATTEMPTS, _MATCHES, _DEFINITIONS = forms("Try"), forms("Match"), forms("FunctionDef")

_MOST_LABELS = 8
"""Nobody reads more places where a variable is bound."""


def maybe_unbound(function: FunctionNames, unit: SourceUnit) -> list[Diagnostic]:
    """A warning for each variable of a function that may be unbound where it is read."""
    names = uncovered(function)
    tests, found = Tests(function.node) if names else None, []
    for name in names:
        assert tests is not None
        spec, read = catalog.UNBOUND_AFTER_LOOP, Search(name, function, tests).first_read()
        surely = read and Search(name, function, tests, skips=False).first_read()
        if surely:
            spec, read = catalog.MAYBE_UNBOUND, surely
        if read:
            found.append(_report(spec, name, read, function.node, unit))
    return found


def uncovered(function: FunctionNames) -> list[str]:
    """The variables of a function, of ``ast`` or ``gast``, that have to be searched for."""
    is_definition = function.node.__class__ in _DEFINITIONS
    return _Blocks(function).uncovered() if is_definition else []


def _report(
    spec: DiagnosticSpec, name: str, read: Any, function: Any, unit: SourceUnit
) -> Diagnostic:
    found = [each for each in _bindings(name, function.body, None) if each[0] is not read]
    labels = [
        Label(unit.span(place), f"bound here, {_WHERE[kind][0]}" if kind else "bound here")
        for place, kind in found[:_MOST_LABELS]
    ]
    way_out = _way_out(function.body, found[0][0], read) if found else _WHERE[gast.If][1]
    args: dict[str, object] = {"name": name, "way_out": way_out}
    return Diagnostic(spec, unit.span(read), args, tuple(labels))


# --- where it is bound ----------------------------------------------------------------------------

_WHERE: dict[type, tuple[str, str]] = {
    gast.If: ("on this path only", "before the 'if', or on its other paths too"),
    gast.For: ("if the loop has a round", "before the loop"),
    gast.While: ("if the loop has a round", "before the loop"),
    gast.Try: ("if nothing is raised before", "before the 'try', or in its other parts too"),
    gast.Match: ("in this case only", "before the 'match', or in 'case _' too"),
}
"""For the statements that bind on some paths: on which, and where to bind for the others."""


def _way_out(statements: list[Any], place: Any, read: Any) -> str:
    """Where to bind the variable too: before the statement that binds it, but doesn't read it."""
    for statement in statements:
        lines = range(statement.lineno, statement.end_lineno + 1)
        if place.lineno in lines and read.lineno not in lines and statement.__class__ in _WHERE:
            return _WHERE[statement.__class__][1]
        if place.lineno in lines:
            inner = [each for block in blocks_of(statement) for each in block]
            return _way_out(inner, place, read)
    return _WHERE[gast.If][1]


def _bindings(
    name: str, statements: list[Any], around: type | None
) -> Iterator[tuple[Any, type | None]]:
    """Where a variable is bound, each with the kind of the statement around it."""
    for statement in statements:
        kind = statement.__class__ if statement.__class__ in _WHERE else around
        for node in iter_own(header(statement)):
            if name in bound_by(node) and not isinstance(getattr(node, "ctx", None), gast.Del):
                yield node, kind if isinstance(statement, gast.For | gast.Match) else around
        for handler in getattr(statement, "handlers", ()):
            if handler.name and handler.name.id == name:
                yield handler.name, kind
        for block in blocks_of(statement):
            yield from _bindings(name, block, kind)


# --- what needs no search -------------------------------------------------------------------------


class _Blocks:
    """Finds, by lines alone, the variables that are read where no binding in the same block, or in
    one around it, comes before. Most functions have none.
    """

    def __init__(self, function: FunctionNames) -> None:
        self._function = function
        self._covered: dict[str, list[tuple[int, int]]] = {}
        """For each variable, the lines that come after a binding of it: from, to."""

    def uncovered(self) -> list[str]:
        """Those variables, which are all that have to be searched for."""
        function = self._function
        self._block(function.node.body)
        known = {*function.params, *function.rebound}
        pending = dict.fromkeys(name for name in function.locals if name not in known)
        found: dict[str, None] = {}
        for scope in scopes(function):
            own = scope.locals if scope is not function else ()
            for read in scope.reads:
                if read.id in pending and read.id not in own and not self._is_covered(read):
                    found[read.id] = pending.pop(read.id)
        return list(found)

    def _is_covered(self, read: Any) -> bool:
        lines = self._covered.get(read.id, ())
        return any(first < read.lineno <= last for first, last in lines)

    def _block(self, statements: list[Any]) -> set[str] | None:
        """The names that are bound wherever a block ends; None where it never does."""
        bound: set[str] = set()
        for statement in statements:
            names = self._names(statement)
            if names is None:
                return None
            for name in names:
                lines = statement.end_lineno, statements[-1].end_lineno
                self._covered.setdefault(name, []).append(lines)
            bound.update(names)
        return bound

    def _names(self, node: Any) -> Iterable[str] | None:
        class_ = node.__class__
        if class_ in _SIMPLE:
            return surely_bound(node)
        if class_ in _LEAVES:
            return None
        if class_ in _BRANCHES:
            return _common([self._block(node.body), self._block(node.orelse)])
        if class_ in _LOOPS or class_ in _CONTEXTS:
            return self._target(node)
        if class_ in _ATTEMPTS:
            return self._try(node)
        ends = [self._block(block) for block in blocks_of(node)]
        is_sure = class_ in _MATCHES and always_matches(node.cases[-1])
        return _common(ends) if is_sure else ()

    def _cover(self, names: Iterable[str], block: list[Any]) -> None:
        """Note that names are bound in a block from its start."""
        lines = block[0].lineno - 1, block[-1].end_lineno
        for name in names:
            self._covered.setdefault(name, []).append(lines)

    def _target(self, node: Any) -> Iterable[str] | None:
        """A statement that binds targets before its body."""
        is_loop = node.__class__ in _LOOPS
        targets = [node.target] if is_loop else _contexts(node)
        names = [name for target in targets for name in target_names(target)]
        self._cover(names, node.body)
        end = self._block(node.body)
        if is_loop:
            self._block(node.orelse)
            return ()
        return end if end is None else {*names, *end}

    def _try(self, node: Any) -> Iterable[str] | None:
        body, orelse = self._block(node.body), self._block(node.orelse)
        if body and node.orelse:
            self._cover(body, node.orelse)
        ends = [None if body is None or orelse is None else body | orelse]
        for handler in node.handlers:
            if handler.name:
                self._cover(bound_by(handler), handler.body)
            ends.append(self._block(handler.body))
        final, bound = self._block(node.finalbody), _common(ends)
        return None if final is None or bound is None else {*bound, *final}


def _common(ends: Iterable[set[str] | None]) -> set[str] | None:
    reached = [each for each in ends if each is not None]
    return set[str].intersection(*reached) if reached else None


def _contexts(node: Any) -> list[Any]:
    return [each.optional_vars for each in node.items if each.optional_vars is not None]
