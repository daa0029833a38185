"""``staticpy check --explain-types``: what the compiler knows of each variable, line by line.

In: the files. Out: on standard output, a line for each name that a compiled function sets, with its
type and its sizes, or the value that it has while compiling; or the same as JSON. Of functions that
can be compiled, and whose parameters have types.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from staticpy.check import Checker, Known, Target, known_of
from staticpy.diagnostics import escape
from staticpy.source import SourceError, decode, read_bytes

_KINDS = ("run-time", "compile-time")


def print_types(checker: Checker, targets: Sequence[Target], *, is_json: bool) -> None:
    """Print the types in files."""
    notes = [note for target in targets for note in _notes(checker, target)]
    if is_json:
        print(json.dumps([_as_json(note) for note in notes], indent=2))
        return
    for note in notes:
        joint = " =" if note.kind == "compile-time" else ":"
        print(f"{escape(str(note.span))}: {note.subject or 'return'}{joint} {escape(note.text)}")


def _notes(checker: Checker, target: Target) -> Iterator[Any]:
    """What is known of the variables in the functions of a file, in the order of its text."""
    try:
        data = read_bytes(target.path) if target.data is None else target.data
        text = decode(data, target.path)
    except SourceError:  # which the report says
        return
    for known in known_of(text, target.path, checker.open_project):
        yield from sorted(_of_variables(known, target.path), key=_place)


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
