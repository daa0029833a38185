"""The one box behind ``jit`` and ``check``: source and argument types in, graph or diagnostics out.

    parse → validate → resolve → liveness → lower

Each stage reports all of its errors; a stage runs only where the ones before it found none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

from staticpy.diagnostics import Diagnostics, catalog
from staticpy.frontend.liveness import analyze as analyze_liveness
from staticpy.frontend.lower import Analysis, lower
from staticpy.frontend.lower_base import Prepared
from staticpy.frontend.lower_call import local_names
from staticpy.frontend.parse import parameters_of, parse
from staticpy.frontend.resolve import report_undefined_names
from staticpy.frontend.scope import Scope
from staticpy.frontend.validate import validate
from staticpy.frontend.values import NoVerdict
from staticpy.ir import verify
from staticpy.source import SourceUnit

_RECURSION_LIMIT = 50_000
"""Lowering recurses with the nesting of the program, whose depth the parser bounds."""


class _Recursion:
    """The process's recursion limit while functions are analysed."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.users = 0
        self.saved = 0


_RECURSION = _Recursion()


def prepare(unit: SourceUnit, scope: Scope, diagnostics: Diagnostics) -> Prepared | None:
    """Take a function through the stages before lowering; None where it has errors."""
    found = Diagnostics()
    node = parse(unit, found)
    if node is not None:
        validate(node, unit, found)
    if not found:
        report_undefined_names(node, unit, scope, found)
    for diagnostic in found:
        diagnostics.append(diagnostic)
    if found:
        return None
    parameters = parameters_of(node)
    return Prepared(unit, node, parameters, analyze_liveness(node), local_names(node, parameters))


def analyze(
    unit: SourceUnit,
    scope: Scope,
    arguments: Mapping[str, Any],
    diagnostics: Diagnostics,
    static: frozenset[str] = frozenset(),
    *,
    report_unknown: bool = False,
) -> Analysis | None:
    """Lower a function to a verified graph.

    Args:
        unit: the function's source.
        scope: where its free names come from.
        arguments: for each parameter a live object, or a Declared type.
        diagnostics: receives what there is to say.
        static: the parameters that are compile-time values whatever they hold.
        report_unknown: whether it is an error to use something that is not known from the text.

    Returns:
        None where it has errors, or where something it uses is unknown (``check`` only).
    """
    known: dict[SourceUnit, Prepared | None] = {}

    def prepare_once(callee: SourceUnit, its_scope: Scope) -> Prepared | None:
        if callee not in known:
            known[callee] = prepare(callee, its_scope, diagnostics)
        return known[callee]

    with deep_recursion():
        prepared = prepare_once(unit, scope)
        if prepared is None:
            return None
        try:
            analysis = lower(prepared, scope, arguments, static, diagnostics, prepare_once)
        except NoVerdict as verdict:
            if report_unknown:
                diagnostics.add(catalog.UNKNOWN_FROM_TEXT, verdict.span, name=verdict.name)
            return None
    if analysis is not None:
        verify(analysis.module)
    return analysis


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let Python recurse as deep as a nested program needs, in any number of threads."""
    with _RECURSION.lock:
        if _RECURSION.users == 0:
            _RECURSION.saved = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_RECURSION.saved, _RECURSION_LIMIT))
        _RECURSION.users += 1
    try:
        yield
    finally:
        with _RECURSION.lock:
            _RECURSION.users -= 1
            if _RECURSION.users == 0:
                sys.setrecursionlimit(_RECURSION.saved)
