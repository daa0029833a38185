"""``staticpy check --explain-types``: what the compiler knows of each variable, line by line.

In: the files. Out: on standard output, a line for each name that a compiled function sets, with its
type and its sizes, or the value that it has while compiling; or the same as JSON. Of functions that
can be compiled, and whose parameters have types.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from staticpy.check import Checker, Known, Target, known_of, source_diagnostic
from staticpy.cli.console import warn
from staticpy.cli.exits import FINDINGS, OK, USAGE
from staticpy.diagnostics import escape
from staticpy.source import SourceError, decode, from_text

_KINDS = ("run-time", "compile-time")


def print_types(checker: Checker, targets: Sequence[Target], *, is_json: bool) -> int:
    """Print the types in files, and return the exit code."""
    notes: list[Any] = []
    code = OK
    for target in targets:
        try:
            text = decode(target.read(), target.path)
            from_text(text, target.path)
        except SourceError as error:
            code = max(code, _refusal(error, target) if target.is_named else OK)
        else:
            notes += _notes(checker, text, target.path)
    if is_json:
        print(json.dumps([_as_json(note) for note in notes], indent=2))
    for note in () if is_json else notes:
        joint = " =" if note.kind == "compile-time" else ":"
        print(f"{escape(str(note.span))}: {note.subject or 'return'}{joint} {escape(note.text)}")
    return code


def _refusal(error: SourceError, target: Target) -> int:
    """Say why a file has no types, and return how the command ends."""
    found = source_diagnostic(error, target.path)
    warn(f"{found.span}: {found.message}")
    return USAGE if error.kind == "UNREADABLE_FILE" else FINDINGS


def _notes(checker: Checker, text: str, file: str) -> Iterator[Any]:
    """What is known of the variables in the functions of a file, in the order of its text."""
    for known in known_of(text, file, checker.open_project):
        yield from sorted(_of_variables(known, file), key=_place)


def _of_variables(known: Known, file: str) -> set[Any]:
    is_own = (note for note in known.notes if note.span.file == file and note.kind in _KINDS)
    return {note for note in is_own if note.text}


def _place(note: Any) -> tuple[int, int, str, str]:
    return note.span.line, note.span.col, note.subject, note.text


def _as_json(note: Any) -> dict[str, object]:
    span = note.span
    return {
        "filename": span.file,
        "location": {"row": span.line, "column": span.col + 1},
        "end_location": {"row": span.end_line, "column": span.end_col + 1},
        "function": span.function,
        "name": note.subject or None,
        "binding": note.kind,
        "type": note.text,
    }
