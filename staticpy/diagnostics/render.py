"""Diagnostics as text: ``full`` for people, ``concise`` for a line each, ``json`` for tools.

In: diagnostics, and a function that gives the lines of a file. Out: a string. The last stage of
every refusal, in the compiler's errors and in ``staticpy check`` alike.
"""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterable, Iterator, Sequence

from staticpy.diagnostics.edits import edited_lines
from staticpy.diagnostics.snippet import SourceLines, Style, snippet
from staticpy.diagnostics.spec import Diagnostic, Fix, Severity
from staticpy.diagnostics.text import escape, shown_source
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
_MOST_FIXED = 8
"""Lines of a fix that are shown."""
_LONGEST_CALL = 60
"""Characters of a call that are shown."""
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
    related += [_related("call", _caller(call), call) for call in diagnostic.chain]
    return {
        "code": diagnostic.code,
        "name": diagnostic.spec.slug,
        "message": diagnostic.message,
        "severity": str(diagnostic.severity),
        **_place(span),
        "fix": None if diagnostic.fix is None else _fix_as_json(diagnostic.fix),
        "noqa_row": max(span.line, 1),
        "url": None,
        "function": diagnostic.function or None,
        "category": category(diagnostic.code),
        "related": related,
        "help": diagnostic.help or None,
    }


def _fix_as_json(fix: Fix) -> dict[str, object]:
    edits = []
    for edit in fix.edits:
        place = _place(edit.span)
        del place["filename"]
        edits.append({"content": edit.text, **place})
    applicability = "safe" if fix.is_safe else "unsafe"
    return {"applicability": applicability, "message": fix.title, "edits": edits}


def _related(kind: str, message: str, span: SourceSpan) -> dict[str, object]:
    return {"kind": kind, "message": message, **_place(span)}


def _place(span: SourceSpan) -> dict[str, object]:
    return {
        "filename": span.file,
        "location": {"row": max(span.line, 1), "column": span.col + 1},
        "end_location": {"row": max(span.end_line, 1), "column": span.end_col + 1},
    }


def _header(diagnostic: Diagnostic, style: Style) -> str:
    spec, severity = diagnostic.spec, diagnostic.severity
    color = style.error if severity is Severity.ERROR else style.warning
    kind = color(f"{severity}[{spec.code}]")
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
    for name, (first, *others) in _notes(diagnostic, lines):
        yield f"{indent} {style.gutter('=')} {style.bold(name + ':')} {first}"
        yield from (f"{indent}   {' ' * (len(name) + 1)} {other}".rstrip() for other in others)


def _notes(diagnostic: Diagnostic, lines: SourceLines) -> Iterator[tuple[str, list[str]]]:
    calls = diagnostic.chain
    for call in calls if len(calls) <= _MOST_CALLS else _shortened(calls):
        yield "called from", [call if isinstance(call, str) else _shown_call(call, lines)]
    if diagnostic.help:
        yield "help", diagnostic.help.split("\n")
    if diagnostic.fix is not None:
        yield _shown_fix(diagnostic.fix, lines)
    yield "docs", [f"staticpy explain {diagnostic.code}"]


def _shown_fix(fix: Fix, lines: SourceLines) -> tuple[str, list[str]]:
    """What a fix does, and the lines as it would write them."""
    new = edited_lines(lines(fix.edits[0].span.file), fix.edits) if fix.edits else []
    shown = [shown_source(line) for _, line in new[:_MOST_FIXED]]
    if len(new) > _MOST_FIXED:
        shown.append("…")
    name = "fix" if fix.is_safe else "unsafe fix"
    return name, [escape(fix.title), *shown]


def _shortened(calls: Sequence[SourceSpan]) -> list[SourceSpan | str]:
    half = _MOST_CALLS // 2
    return [*calls[:half], f"… {len(calls) - 2 * half} more calls", *calls[-half:]]


def _shown_call(call: SourceSpan, lines: SourceLines) -> str:
    """Where a call is, in which function, and its text."""
    known = lines(call.file)
    line = known[call.line - 1] if 1 <= call.line <= len(known) else ""
    text = line[call.col : call.end_col if call.end_line == call.line else None].strip()
    if len(text) > _LONGEST_CALL or call.end_line > call.line:
        text = f"{text[:_LONGEST_CALL]}…" if text else text
    shown = f": {escape(text)}" if text else ""
    return f"{place_of(call)} {_caller(call)}{shown}"


def _caller(call: SourceSpan) -> str:
    return f"in '{escape(call.function)}'" if call.function else "in the module"
