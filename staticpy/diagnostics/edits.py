"""Edits of source text: what a fix writes.

In: the text of a file, and the Edits of a Fix. Out: the text with the edits made, all else (layout,
comments, ends of lines) as it was; or the lines that they change, for a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from staticpy.diagnostics.spec import Edit
from staticpy.diagnostics.text import split_lines


def edited(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits made.

    Raises:
        ValueError: an edit lies outside of the text, or two overlap.
    """
    starts = _line_starts(text)
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=_key):
        span = edit.span
        start = _offset(starts, span.line, span.col, text)
        end = _offset(starts, span.end_line, span.end_col, text)
        if start < position or end < start:
            raise ValueError(f"the edit at {span} overlaps another one")
        pieces += [text[position:start], edit.text]
        position = end
    return "".join([*pieces, text[position:]])


def edited_lines(lines: Sequence[str], edits: Sequence[Edit]) -> list[tuple[int, str]]:
    """The lines that the edits change, as they would be, with their numbers; none where the edits
    don't fit the lines.
    """
    first = min((edit.span.line for edit in edits), default=1)
    last = max((edit.span.end_line for edit in edits), default=0)
    if not 1 <= first <= last <= len(lines):
        return []
    try:
        new = split_lines(edited("\n".join(lines), edits))
    except ValueError:
        return []
    old = list(lines)
    count = last - first + 1 + len(new) - len(old)
    shown = new[first - 1 : first - 1 + count]
    return [(first + number, line) for number, line in enumerate(shown)]


def _key(edit: Edit) -> tuple[int, ...]:
    span = edit.span
    return span.line, span.col, span.end_line, span.end_col


_LINE_END = re.compile(r"\r\n|\r|\n")


def _line_starts(text: str) -> list[int]:
    """Where the lines begin, as Python counts them."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def _offset(starts: Sequence[int], line: int, col: int, text: str) -> int:
    if not 1 <= line <= len(starts):
        raise ValueError(f"there is no line {line}")
    offset = starts[line - 1] + col
    end = starts[line] if line < len(starts) else len(text)
    if col < 0 or offset > end:
        raise ValueError(f"there is no column {col + 1} in line {line}")
    return offset
