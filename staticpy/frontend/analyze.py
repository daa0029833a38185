"""The one box behind ``jit`` and ``check``: source and argument types in, graph or diagnostics out.

    parse → validate → resolve → liveness → lower

Each stage reports all of its errors; a stage runs only where the ones before it found none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from staticpy.diagnostics import Diagnostic, Diagnostics, DiagnosticSpec, Severity, catalog
from staticpy.frontend.inputs import BindingTimes
from staticpy.frontend.liveness import Liveness
from staticpy.frontend.lower import Analysis, lower
from staticpy.frontend.lower_base import Prepared
from staticpy.frontend.maybe_unbound import maybe_unbound
from staticpy.frontend.parse import is_deep, parameters_of, parse
from staticpy.frontend.resolve import (
    FunctionNames,
    report_generator,
    report_undefined_names,
    resolve,
)
from staticpy.frontend.scope import Scope
from staticpy.frontend.validate import validate
from staticpy.frontend.values import NoVerdict
from staticpy.ir import verify
from staticpy.source import (
    OWN_FILES,
    SourceUnit,
    has_deep_stack,
    is_of_library,
    recursion_limit,
    run_deep,
)

_RECURSION_LIMIT = 50_000
"""Lowering recurses with the nesting of the program: what is nested deeper gets a deep stack."""


class _NeedsDeepStackError(BaseException):
    """A function was met that is nested too deep for the stack that lowering began on."""


def prepare(unit: SourceUnit, scope: Scope, diagnostics: Diagnostics) -> Prepared | None:
    """Take a function through the stages before lowering; None where that is not possible.

    A function that reads undefined names is lowered all the same, to find its other errors.
    """

    def run() -> Prepared | None:
        prepared = _prepare(unit, scope, diagnostics)
        _report_unbound(unit, diagnostics)
        return prepared

    return run() if has_deep_stack() or not is_deep(unit) else run_deep(run)


def _prepare(unit: SourceUnit, scope: Scope, diagnostics: Diagnostics) -> Prepared | None:
    prepared, names, found = _read(unit)
    for diagnostic in found:
        diagnostics.append(diagnostic)
    if names is not None:
        report_undefined_names(names, unit, scope, diagnostics)
    return prepared


def _report_unbound(unit: SourceUnit, diagnostics: Diagnostics) -> None:
    """Warn of the variables of a function that not every path binds."""
    prepared, names, _ = _read(unit)
    if prepared is not None and names is not None and not unit.file.startswith(OWN_FILES):
        for warning in maybe_unbound(names, unit):
            diagnostics.append(warning)


@lru_cache(maxsize=128)
def _read(unit: SourceUnit) -> tuple[Prepared | None, FunctionNames | None, Diagnostics]:
    """What follows from the text of a function alone, and is so each time it is compiled."""
    found = Diagnostics()
    node = parse(unit, found)
    if node is None:
        return None, None, found
    is_valid, names = validate(node, unit, found), resolve(node)
    if not is_valid:
        return None, names, found
    prepared = Prepared(
        unit,
        node,
        parameters_of(node),
        Liveness(names),
        frozenset(names.locals),
        names.is_generator,
        names.captured,
    )
    return prepared, names, found


_BY_THE_RULES = BindingTimes()


def analyze(
    unit: SourceUnit,
    scope: Scope,
    arguments: Mapping[str, Any],
    diagnostics: Diagnostics,
    binding: BindingTimes = _BY_THE_RULES,
    *,
    unknown: DiagnosticSpec | None = None,
) -> Analysis | None:
    """Lower a function to a verified graph.

    Args:
        unit: the function's source.
        scope: where its free names come from.
        arguments: for each parameter a live object, or a Declared type.
        diagnostics: receives what there is to say.
        binding: what is known while compiling, and what is read at each call.
        unknown: what to report where something is used that is not known from the text.

    Returns:
        None where it has errors, or where something it uses is unknown (``check`` only).
    """

    def run() -> Analysis | None:
        return _analyze(unit, scope, arguments, diagnostics, binding, unknown)

    mark = diagnostics.mark()
    try:
        analysis = run()
    except (_NeedsDeepStackError, RecursionError):
        diagnostics.rollback(mark)
    else:
        return _reported(analysis, diagnostics, mark)
    # Outside of the handler, whose exception holds all frames of the deep recursion.
    return _reported(_analyze_deep(run, unit, diagnostics), diagnostics, mark)


def _reported(analysis: Analysis | None, diagnostics: Diagnostics, mark: int) -> Analysis | None:
    """An analysis; where there is none, what is wrong in Python's library is said of its call."""
    if analysis is None:
        for diagnostic in diagnostics.rollback(mark):
            diagnostics.append(_at_users_call(diagnostic))
    return analysis


def _at_users_call(diagnostic: Diagnostic) -> Diagnostic:
    """What is said of a function of Python's library to who has called it: which of its lines can't
    be compiled is nothing that one could mend.
    """
    spans = (diagnostic.span, *diagnostic.chain)
    inside = list(takewhile(is_of_library, spans))
    is_internal = diagnostic.spec is catalog.INTERNAL_ERROR
    if diagnostic.severity is not Severity.ERROR or is_internal or len(inside) in (0, len(spans)):
        return diagnostic
    function = inside[-1].function.removesuffix(".__new__").removesuffix(".__init__")
    name = function or Path(inside[-1].file).stem
    return Diagnostic(catalog.UNSUPPORTED_CALL, spans[len(inside)], {"name": name})


def _analyze_deep(
    run: Callable[[], Analysis | None], unit: SourceUnit, diagnostics: Diagnostics
) -> Analysis | None:
    """Analyze once more, from the start, with a deep stack."""
    try:
        return run_deep(run)
    except RecursionError:
        diagnostics.add(catalog.NESTING_TOO_DEEP, unit.span(unit.node))
        return None


def _analyze(
    unit: SourceUnit,
    scope: Scope,
    arguments: Mapping[str, Any],
    diagnostics: Diagnostics,
    binding: BindingTimes,
    unknown: DiagnosticSpec | None,
) -> Analysis | None:
    known: dict[SourceUnit, Prepared | None] = {}

    def prepare_once(callee: SourceUnit, its_scope: Scope) -> Prepared | None:
        if callee not in known:
            if not has_deep_stack() and is_deep(callee):
                raise _NeedsDeepStackError
            known[callee] = _prepare(callee, its_scope, diagnostics)
        return known[callee]

    with deep_recursion():
        prepared = prepare_once(unit, scope)
        if prepared is None:
            return None
        if prepared.is_generator:
            report_generator(prepared.node, unit, diagnostics)
            return None
        try:
            analysis = lower(prepared, scope, arguments, binding, diagnostics, prepare_once)
        except NoVerdict as verdict:
            analysis = None
            if unknown is not None:
                diagnostics.add(unknown, verdict.span, name=verdict.name)
        for each in known:
            _report_unbound(each, diagnostics)
    if analysis is not None:
        verify(analysis.module)
    return analysis


def deep_recursion() -> AbstractContextManager[None]:
    """Let Python recurse as deep as a nested program needs, in any number of threads."""
    return recursion_limit(_RECURSION_LIMIT)
