"""The compiler's verdict on one text, before settings and comments have their say.

In: the text of a file. Out: diagnostics. The frontend, and NumPy with it, is loaded only where a
text has something to check; an exception of a stage is a finding, too.
"""

from __future__ import annotations

import sys
import traceback
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

from staticpy.diagnostics import Diagnostic, catalog
from staticpy.source import SourceError, SourceSpan, from_text, refuse_newer

_NAMES = ("staticpy", "jit")
"""What a file names that gives functions to ``staticpy.jit``, which may come from another one."""

OpenProject = Callable[[], Any]
"""Makes the ``frontend.Project`` that reads the other files of a project."""


def may_hold_jit(data: bytes) -> bool:
    """Whether a file could name the decorator; the ``def`` of one that can't is never compiled."""
    if any(name.encode() in data for name in _NAMES):
        return True
    # Python reads identifiers in other forms of these letters as the same name.
    return not data.isascii() and _names_jit(data.decode("utf-8", "replace"))


def _names_jit(text: str) -> bool:
    text = unicodedata.normalize("NFKC", text)
    return any(name in text for name in _NAMES)


class Function(NamedTuple):
    """How far a function is from being a graph.

    ``fixes``: places that keep it from being one. ``is_partial``: some of it was not checked.
    """

    name: str
    line: int
    verdict: str
    fixes: int
    is_partial: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """The verdict on a text.

    ``read``: other files that it depends on. ``unread``: how many notes of each code there are
    besides, where the cache was not asked for them.
    """

    found: Sequence[Diagnostic]
    functions: Sequence[Function] = ()
    read: Sequence[str] = ()
    unread: Mapping[str, int] = field(default_factory=dict)


def analyse(
    text: str,
    file: str,
    scope: str,
    open_project: OpenProject | None = None,
    *,
    is_named: bool = True,
    is_verbose: bool = False,
) -> Analysis:
    """What there is to say of a text, in its order.

    Args:
        text: the text of the file, decoded.
        file: its name, for the spans.
        scope: see ``check_file`` of the frontend.
        open_project: how to read the other files that the text imports; None to read none.
        is_named: report a syntax error also where there is nothing to check.
        is_verbose: print the traceback of a stage that failed.
    """
    try:
        if _has_nothing_to_check(text, scope):
            if is_named or scope == "all":
                from_text(text, file)
            return Analysis([])
        return _analyse(text, file, scope, open_project)
    except SourceError as error:
        return Analysis([source_diagnostic(error, file)])
    except Exception as error:
        if is_verbose:
            traceback.print_exc()
        return Analysis([_internal_error(error, file)])


def in_order(found: list[Diagnostic]) -> list[Diagnostic]:
    """Findings in the order of the text."""
    return sorted(found, key=lambda item: (item.span.line, item.span.col, item.code))


def _has_nothing_to_check(text: str, scope: str) -> bool:
    if scope == "all":
        return "def " not in unicodedata.normalize("NFKC", text)
    return not _names_jit(text)


def _analyse(text: str, file: str, scope: str, open_project: OpenProject | None) -> Analysis:
    frontend = import_module("staticpy.frontend")
    project = open_project() if open_project else None
    if project and project.version < sys.version_info[:2]:
        refuse_newer(text, file, project.version)
    stages = frontend.Stages(_derive, _compile, project and project.backend)
    report: Any = frontend.check_file(
        text, file, scope, say_unchecked=True, stages=stages, project=project
    )
    functions = [
        Function(each.span.function, each.span.line, str(each), each.fixes, each.is_partial)
        for each in report.functions
        if each.span.file == file
    ]
    return Analysis(in_order(list(report.diagnostics)), functions, report.read)


def _derive(module: object) -> None:
    """Expand the derivatives of a graph, if it has any: only then is the runtime loaded."""
    if import_module("staticpy.autodiff").has_derivatives(module):
        import_module("staticpy.runtime").derive(module)


def _compile(module: object, backend: str) -> None:
    """Compile a graph for a backend, if it is installed."""
    backends = import_module("staticpy.backends")
    try:
        found = backends.get_backend(backend)
    except ValueError:  # which ``jit`` raises where the file is run
        return
    import_module("staticpy.runtime").transform(module)
    found.compile(module)


def source_diagnostic(error: SourceError, file: str) -> Diagnostic:
    """What a SourceError says, as a finding."""
    span = error.span or SourceSpan(file, 1, 0, 1, 0)
    return Diagnostic(getattr(catalog, error.kind), span, dict(error.fields))


def _internal_error(error: Exception, file: str) -> Diagnostic:
    detail = f"{type(error).__name__}: {error}"
    return Diagnostic(catalog.INTERNAL_ERROR, SourceSpan(file, 1, 0, 1, 0), {"detail": detail})
