"""Validation: is every node of a function part of the language?

In: the node of a function, of ``ast`` or ``gast``. Out: a diagnostic for each node that no
production of the grammar accepts (``_grammar``, generated from ``grammar/staticpy.asdl``).
Rejection is the default: a node that nobody thought of gets SPY100. All errors are reported: the
statements inside of a rejected statement are looked at, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from staticpy.diagnostics import Diagnostics, DiagnosticSpec, catalog
from staticpy.frontend._grammar import PRODUCTIONS, TERMINALS
from staticpy.frontend.nodes import as_gast, forms
from staticpy.frontend.parse import names_types
from staticpy.source import SourceSpan, SourceUnit, children

_SPECS: dict[str, DiagnosticSpec] = {
    **{node: spec for spec in catalog.ALL for node in spec.nodes},
    # A field that must be empty.
    "comprehension.is_async": catalog.ASYNC_CODE,
}
_PRODUCTIONS = {
    (type_, name): {field: (held, quantifier) for field, held, quantifier in fields}
    for type_, productions in PRODUCTIONS.items()
    for name, fields in productions.items()
}
_CLOSING = re.compile(r"[\s(]*[),]+")
_STATEMENT_LISTS = ("body", "orelse", "finalbody")
_INNER = forms("stmt", "ExceptHandler", "match_case")
_WITHOUT_BODY = forms("ClassDef", "AsyncFunctionDef")
_DEFINITIONS = forms("FunctionDef")


_NAME = "identifier"
_CONTEXTS = frozenset(["load", "store", "del", "param"])
_ALWAYS_NAMED = frozenset(["id", "attr"])
"""What Python's parser gives each node by its place, and what it leaves out of none: most nodes are
names, and have nothing else.
"""


class _Part(NamedTuple):
    """What a field of a node may hold.

    ``plans`` are those of the nodes that may stand there; None where nothing may. ``is_name`` says
    that it holds the text of a name.
    """

    field: str
    plans: _Plans | None
    may_be_none: bool
    is_name: bool


_Plan = tuple[_Part, ...]


class _Plans(dict[type, _Plan | None]):
    """What is looked at in nodes of each class where ``type_`` is asked for. Names that may be left
    out, and other terminals, are no part of it. None where no such node may stand.
    """

    def __init__(self, type_: str) -> None:
        self.type_ = type_

    def __missing__(self, class_: type) -> _Plan | None:
        self[class_] = plan = self._plan_of(class_)
        return plan

    def _plan_of(self, class_: type) -> _Plan | None:
        if class_ is str:  # the name of what a handler has caught, as ``ast`` has it
            return ()
        in_gast = as_gast(class_)
        fields = _PRODUCTIONS.get((self.type_, in_gast.__name__)) if in_gast else None
        if fields is None:
            return None
        plan = []
        for field in in_gast._fields:
            if field not in class_._fields or self._is_apart(field):  # type: ignore[attr-defined]
                continue
            held, quantifier = fields.get(field, ("", ""))
            if held in _CONTEXTS or field in _ALWAYS_NAMED:
                continue
            if held not in TERMINALS or (held == _NAME and not quantifier):
                plans = _plans(held) if held else None
                plan.append(_Part(field, plans, quantifier not in ("", "*"), held == _NAME))
        return tuple(plan)

    def _is_apart(self, field: str) -> bool:
        """Whether it holds the decorators of the function itself, of which the graph is made."""
        return self.type_ == "function" and field == "decorator_list"


_plans = cache(_Plans)


def spec_of(*keys: str) -> DiagnosticSpec:
    """The diagnostic of a rejected node, by the first of its names that the catalogue has."""
    return next((_SPECS[key] for key in keys if key in _SPECS), catalog.UNSUPPORTED_SYNTAX)


def validate(node: Any, unit: SourceUnit, diagnostics: Diagnostics) -> bool:
    """Report everything in a function that is not part of the language; return whether all is."""
    validator = _Validator(unit, diagnostics)
    validator.run(node)
    return validator.is_valid


class _Validator:
    def __init__(self, unit: SourceUnit, diagnostics: Diagnostics) -> None:
        self._unit = unit
        self._diagnostics = diagnostics
        self.is_valid = True

    def run(self, root: Any) -> None:
        pending: list[tuple[Any, _Plans, Any]] = [(root, _plans("function"), root)]
        while pending:
            node, plans, owner = pending.pop()
            plan = plans[node.__class__]
            if plan is None:
                self._reject(node, plans.type_, owner)
                found = [(inner, _plans("stmt"), node) for inner in _inner_statements(node)]
            else:
                found = self._children(node, plan)
            pending += found[::-1]

    def _children(self, node: Any, plan: _Plan) -> list[tuple[Any, _Plans, Any]]:
        """The nodes in ``node`` in which something is looked at, each with what may stand there."""
        found = []
        for field, plans, may_be_none, is_name in plan:
            value = getattr(node, field, None)
            if plans is None:
                if value:
                    self._reject_field(node, field, value)
                continue
            for item in value if value.__class__ is list else (value,):
                if item is None:
                    if not may_be_none:
                        self._reject_field(node, field, node)
                elif not is_name and plans[item.__class__] != ():
                    found.append((item, plans, node))
        if node.__class__ in _DEFINITIONS:
            annotations = getattr(node, "evaluated", ())
            expr = _plans("expr")
            found += [(each, expr, node) for each in annotations if not names_types(each)]
        return found

    def _reject(self, node: Any, type_: str, owner: Any) -> None:
        name = type(node).__name__
        spec = spec_of(f"{type_}.{name}", name)
        place = node if hasattr(node, "lineno") else owner
        self._add(spec, head_span(self._unit, place), node=name)

    def _reject_field(self, node: Any, field: str, value: Any) -> None:
        key = f"{type(node).__name__}.{field}"
        first = value[0] if isinstance(value, list) else value
        place = next((item for item in (first, node, *children(node)) if _has_place(item)), node)
        span = head_span(self._unit, place)
        name = getattr(value, "id", "") or getattr(getattr(node, "target", None), "id", "")
        self._add(spec_of(key), span, node=key, name=name)

    def _add(self, spec: DiagnosticSpec, span: SourceSpan, node: str, name: str = "") -> None:
        self.is_valid = False
        self._diagnostics.add(spec, span, node=node, name=name)


def _inner_statements(node: Any) -> Iterator[Any]:
    """The statements in a rejected statement that run as part of the same function."""
    if isinstance(node, _WITHOUT_BODY):
        return
    holders = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
    for holder in holders:
        for field in _STATEMENT_LISTS:
            value = getattr(holder, field, None)
            if isinstance(value, list):
                yield from value


def head_span(unit: SourceUnit, node: Any) -> SourceSpan:
    """The span of a node; of a statement that holds others, what stands before them."""
    span = unit.span(node)
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not isinstance(body, list):
        return span
    line, col = span.line, _keyword_end(unit, span)
    pending = [child for child in children(node) if not isinstance(child, _INNER)]
    while pending:
        child = pending.pop()
        if getattr(child, "end_lineno", None) is None:  # ``arguments``, ``withitem``
            pending += children(child)
        else:
            end = unit.span(child)
            line, col = max((line, col), (end.end_line, end.end_col))
    closing = _CLOSING.match(unit.lines[line - 1], col)
    return replace(span, end_line=line, end_col=closing.end() if closing else col)


def _keyword_end(unit: SourceUnit, span: SourceSpan) -> int:
    """The end of the words at the start of a statement: ``try``, ``class A``, ``async def f``."""
    line = unit.lines[span.line - 1]
    col = span.col
    while col < len(line) and (line[col].isidentifier() or line[col].isdigit() or line[col] == " "):
        col += 1
    return span.col + len(line[span.col : col].rstrip())


def _has_place(node: Any) -> bool:
    return getattr(node, "lineno", None) is not None
