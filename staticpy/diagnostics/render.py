"""Diagnostics as text: ``full`` for people, ``concise`` for a line each, ``json`` for tools.

In: diagnostics, and a function that gives the lines of a file. Out: a string. The last stage of
every refusal, in the compiler's errors and in ``staticpy check`` alike.
"""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterable, Iterator

from staticpy.diagnostics.snippet import SourceLines, Style, snippet
from staticpy.diagnostics.spec import Diagnostic, Severity
from staticpy.diagnostics.text import escape
from staticpy.source import SourceSpan

_CATEGORIES = (
    "file",
    "statement",
    "expression",
    "name",
    "control-flow",
    "array",
    "type",
    "derivative",
    "performance",
    "internal",
)
_MOST_CALLS = 8
"""Calls of a chain that are shown; of a longer one, the first and the last half of them."""


def source_lines(file: str) -> list[str]:
    """The lines of a file as ``linecache`` has them: functions of a notebook or REPL included."""
    return [line.rstrip("\r\n") for line in linecache.getlines(file)]


def category(code: str) -> str:
    """The part of the language that a code is about: ``"control-flow"`` for ``SPY402``."""
    return _CATEGORIES[int(code[3])]


def render_full(
    diagnostics: Iterable[Diagnostic], lines: SourceLines = source_lines, *, color: bool = False
) -> str:
    """Each diagnostic with its source lines, carets, labels, calls and help; a blank line between.

    ``lines`` gives the lines of a file, without their ends; no lines, and the snippet is left out.
    """
    style = Style(color)
    return "\n\n".join("\n".join(_full(item, lines, style)) for item in diagnostics)


def render_concise(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """One line for each diagnostic: ``file:row:col: error[SPY402] slug: message``."""
    style = Style(color)
    return "\n".join(_header(item, style) for item in diagnostics)


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON array; rows and columns count from 1, in code points, ends exclusive."""
    return json.dumps([as_json(item) for item in diagnostics], indent=2)


def as_json(diagnostic: Diagnostic) -> dict[str, object]:
    """One diagnostic as plain values; the first ten keys have ruff's names and meaning."""
    span = diagnostic.span
    related = [_related("label", label.text, label.span) for label in diagnostic.labels]
    related += [_related("call", _caller(call), call) for call in _calls(span)]
    return {
        "code": diagnostic.code,
        "name": diagnostic.spec.slug,
        "message": diagnostic.message,
        "severity": str(diagnostic.spec.severity),
        **_place(span),
        "fix": None,
        "noqa_row": max(span.line, 1),
        "url": None,
        "function": span.function or None,
        "category": category(diagnostic.code),
        "related": related,
        "help": diagnostic.help or None,
    }


def _related(kind: str, message: str, span: SourceSpan) -> dict[str, object]:
    return {"kind": kind, "message": message, **_place(span)}


def _place(span: SourceSpan) -> dict[str, object]:
    return {
        "filename": span.file,
        "location": {"row": max(span.line, 1), "column": span.col + 1},
        "end_location": {"row": max(span.end_line, 1), "column": span.end_col + 1},
    }


def _header(diagnostic: Diagnostic, style: Style) -> str:
    spec = diagnostic.spec
    color = style.error if spec.severity is Severity.ERROR else style.warning
    kind = color(f"{spec.severity}[{spec.code}]")
    place = style.bold(place_of(diagnostic.span))
    return f"{place}: {kind} {style.bold(spec.slug)}: {escape(diagnostic.message)}"


def place_of(span: SourceSpan) -> str:
    """``file:row:col``, the column counted from 1; only the file where no position is known."""
    return escape(span.file) if span.line < 1 else escape(str(span))


def _full(diagnostic: Diagnostic, lines: SourceLines, style: Style) -> Iterator[str]:
    yield _header(diagnostic, style)
    gutter, shown = snippet(diagnostic.span, diagnostic.labels, lines, style)
    yield from shown
    indent = " " * gutter
    if shown:
        yield f"{indent} {style.gutter('|')}"
    for name, text in _notes(diagnostic):
        first, *others = text.split("\n")
        yield f"{indent} {style.gutter('=')} {style.bold(name + ':')} {first}"
        yield from (f"{indent}   {' ' * (len(name) + 1)} {other}".rstrip() for other in others)


def _notes(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    calls = list(_calls(diagnostic.span))
    for call in calls if len(calls) <= _MOST_CALLS else _shortened(calls):
        shown = call if isinstance(call, str) else f"{place_of(call)} {_caller(call)}"
        yield "called from", shown
    if diagnostic.help:
        yield "help", diagnostic.help
    yield "docs", f"staticpy explain {diagnostic.code}"


def _shortened(calls: list[SourceSpan]) -> list[SourceSpan | str]:
    half = _MOST_CALLS // 2
    return [*calls[:half], f"… {len(calls) - 2 * half} more calls", *calls[-half:]]


def _calls(span: SourceSpan) -> Iterator[SourceSpan]:
    """The calls that lead to ``span``, the nearest first."""
    call = span.inlined_at
    while call is not None:
        yield call
        call = call.inlined_at


def _caller(call: SourceSpan) -> str:
    return f"in '{escape(call.function)}'" if call.function else "in the module"
