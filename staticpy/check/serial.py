"""Diagnostics as plain values, for the cache and for other processes.

In: a Diagnostic. Out: lists, dicts, numbers and texts, which JSON can hold, and from which the same
Diagnostic comes back: the values of its message as the texts that are shown.
"""

from __future__ import annotations

from typing import Any

from staticpy.diagnostics import Diagnostic, Edit, Fix, Label, Severity, catalog, shown_value
from staticpy.source import SourceSpan

Plain = dict[str, Any]


def as_plain(diagnostic: Diagnostic) -> Plain:
    """A diagnostic as plain values."""
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "span": _plain_span(diagnostic.span),
        "args": {name: shown_value(value) for name, value in diagnostic.args.items()},
        "labels": [[_plain_span(label.span), label.text] for label in diagnostic.labels],
        "fix": fix and [fix.title, [[_plain_span(e.span), e.text] for e in fix.edits], fix.is_safe],
        "level": diagnostic.level,
    }


def from_plain(value: Plain) -> Diagnostic:
    """The diagnostic of plain values.

    Raises:
        KeyError, TypeError, ValueError: they can't be one.
    """
    return Diagnostic(
        catalog.by_code(value["code"]),
        _span(value["span"]),
        {str(name): str(text) for name, text in value["args"].items()},
        tuple(Label(_span(span), str(text)) for span, text in value["labels"]),
        _fix(value["fix"]),
        Severity(value["level"]) if value["level"] else None,
    )


def _fix(value: Any) -> Fix | None:
    if value is None:
        return None
    title, edits, is_safe = value
    return Fix(str(title), tuple(Edit(_span(span), str(text)) for span, text in edits), is_safe)


def _plain_span(span: SourceSpan) -> list[Any]:
    call = span.inlined_at
    place = [span.file, span.line, span.col, span.end_line, span.end_col, span.function]
    return [*place, _plain_span(call)] if call else place


def _span(value: Any) -> SourceSpan:
    file, line, col, end_line, end_col, function, *call = value
    numbers = (int(line), int(col), int(end_line), int(end_col))
    return SourceSpan(str(file), *numbers, str(function), _span(call[0]) if call else None)
