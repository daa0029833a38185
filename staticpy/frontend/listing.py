"""The annotated listing of a function: its source, and beside each line what is known of it.

In: the unit of a function and the Notes of its compilation. Out: text of at most 100 columns: the
function, the functions it calls, and what the words mean.

    3  def scaled(x, times):              | run-time      x: f64[n]; times: int
    4      for _ in range(times):         | loop          for
    5          x = x * 2                  | run-time      x: f64[n]
    6      return x                       | run-time      returns f64[n]
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from staticpy.diagnostics import SourceLines, escape
from staticpy.frontend.notes import (
    CALL,
    COMPILE_TIME,
    FOLDED,
    IN_PLACE,
    KINDS,
    LOOP,
    RUN_TIME,
    UNROLLED,
    Note,
)
from staticpy.source import SourceError, SourceSpan, SourceUnit, from_text

_COLUMNS = 100
_WIDEST_SOURCE = 46
"""Columns for the source: a longer line has its notes below it."""
_KIND_WIDTH = max(map(len, KINDS)) + 2
_MOST_VALUES = 4
_TAB = "    "
_BAR = " | "
_NO_BREAK = "\N{NO-BREAK SPACE}"

_LEGEND = {
    COMPILE_TIME: "known while compiling; what comes from outside is checked at each call",
    RUN_TIME: "computed at each call, of the type that is shown",
    FOLDED: "the test is known while compiling: one side is compiled, the other is dropped",
    UNROLLED: "the body is compiled once for each item",
    LOOP: "a loop of the compiled code; its body is compiled once",
    CALL: "a function of yours: one of the compiled code, or part of its caller",
    IN_PLACE: "writes into memory: every name of that memory sees it, the caller's too",
}
_LEGEND_OF_TYPES = (
    "Types: float is Python's, f64 is NumPy's scalar of float64, f64[n0, 3] an array of n0 rows of"
    " 3; n0 is any size, the same wherever it stands, and ? is a size that may differ each time."
    " int|None is one or the other, by the path taken."
)


@dataclass(slots=True)
class _Section:
    """A function of the listing with its notes."""

    unit: SourceUnit
    notes: list[Note] = field(default_factory=list)


def render_listing(unit: SourceUnit, notes: Iterable[Note], lines: SourceLines) -> str:
    """The listing of ``unit`` and of every other function that has notes.

    Args:
        unit: the function that was compiled.
        notes: what is known of it and of what it calls.
        lines: gives the lines of a file, without their ends.
    """
    notes = list(notes)
    parts = ["\n".join(_section(section)) for section in _sections(unit, notes, lines)]
    used = {note.kind for note in notes}
    legend = [f"{kind:<{_KIND_WIDTH}}{_LEGEND[kind]}" for kind in KINDS if kind in used]
    if legend:
        parts.append("\n".join([*legend, *textwrap.wrap(_LEGEND_OF_TYPES, _COLUMNS)]))
    return "\n\n".join(parts)


# --- which functions ------------------------------------------------------------------------------


def _sections(unit: SourceUnit, notes: list[Note], lines: SourceLines) -> list[_Section]:
    """The functions in the order in which they were reached; a nested one is part of the outer."""
    files: dict[str, Sequence[SourceUnit]] = {unit.file: unit.source.functions}
    sections = {_extent(unit): _Section(unit)}
    found: dict[tuple[str, SourceSpan], SourceUnit | None] = {}
    for note in notes:
        span = note.span
        if span.file not in files:
            files[span.file] = _functions_of(span.file, lines)
        key = (span.file, span)
        if key not in found:
            found[key] = _innermost(files[span.file], span)
        owner = found[key]
        if owner is not None:
            sections.setdefault(_extent(owner), _Section(owner)).notes.append(note)
    return _merged(list(sections.values()))


def _functions_of(file: str, lines: SourceLines) -> Sequence[SourceUnit]:
    """The functions of a file; none where its text is gone."""
    try:
        return from_text("\n".join(lines(file)) + "\n", file).functions
    except SourceError:
        return ()


def _extent(unit: SourceUnit) -> tuple[str, int, int, int, int]:
    span = unit.span(unit.node)
    return span.file, span.line, span.col, span.end_line, span.end_col


def _holds(unit: SourceUnit, span: SourceSpan) -> bool:
    outer = unit.span(unit.node)
    return (
        outer.file == span.file
        and (outer.line, outer.col) <= (span.line, span.col)
        and (span.end_line, span.end_col) <= (outer.end_line, outer.end_col)
    )


def _innermost(units: Iterable[SourceUnit], span: SourceSpan) -> SourceUnit | None:
    """The smallest function around ``span``: of those that hold it, the last to begin."""
    around = [unit for unit in units if _holds(unit, span)]
    return around[-1] if around else None


def _merged(sections: list[_Section]) -> list[_Section]:
    """The sections of nested functions become part of the function around them."""
    kept: list[_Section] = []
    for section in sections:
        span = section.unit.span(section.unit.node)
        others = (other for other in sections if other is not section)
        outer = [other for other in others if _holds(other.unit, span)]
        if outer:
            widest = min(outer, key=lambda other: _extent(other.unit)[1:3])
            widest.notes.extend(section.notes)
        else:
            kept.append(section)
    return kept


# --- one function ---------------------------------------------------------------------------------


def _section(section: _Section) -> Iterator[str]:
    unit = section.unit
    rows = _rows(section.notes)
    last = max([unit.node.end_lineno or unit.first_line, *rows])
    numbers = range(unit.first_line, last + 1)
    source = {number: escape(unit.lines[number - 1].replace("\t", _TAB)) for number in numbers}
    gutter = max(len(str(last)), 3)
    width = _source_width([len(source[line]) for line in rows if line in source])
    yield f"{unit.qualname} ({escape(Path(unit.file).name)})"
    for number, text in source.items():
        start = f"{number:>{gutter}}  "
        room = _COLUMNS - len(start) - width - len(_BAR)
        notes = (_wrapped(kind, words, room) for kind, words in rows.get(number, ()))
        yield from _line(start, text, width, [row for wrapped in notes for row in wrapped])


def _line(start: str, text: str, width: int, beside: list[str]) -> Iterator[str]:
    """A line of source with the rows of its notes; one too long for its column stands above."""
    lefts = [" " * (len(start) + width)] * len(beside)
    if beside and len(text) <= width:
        lefts[0] = f"{start}{text:<{width}}"
    else:
        yield _cut(f"{start}{text}").rstrip()
    for left, row in zip(lefts, beside, strict=True):
        yield f"{left}{_BAR}{row}"


def _source_width(lengths: list[int]) -> int:
    """The columns for the source: what the lines with notes need, if that is not too much."""
    fitting = [length for length in lengths if length <= _WIDEST_SOURCE]
    return max(fitting, default=_WIDEST_SOURCE // 2)


def _cut(row: str) -> str:
    return row if len(row) <= _COLUMNS else row[: _COLUMNS - 1] + "…"


def _wrapped(kind: str, words: str, room: int) -> list[str]:
    """A note as rows of ``room`` columns: its kind, then its words."""
    indent = " " * _KIND_WIDTH
    for glue in (" = ", ": "):  # a name and its value stay on one row
        words = words.replace(glue, glue.replace(" ", _NO_BREAK))
    rows = textwrap.wrap(words, room - _KIND_WIDTH, break_on_hyphens=False) or [""]
    starts = [f"{kind:<{_KIND_WIDTH}}", *[indent] * (len(rows) - 1)]
    pairs = zip(starts, rows, strict=True)
    return [f"{start}{row}".replace(_NO_BREAK, " ").rstrip() for start, row in pairs]


# --- one line -------------------------------------------------------------------------------------


def _rows(notes: Iterable[Note]) -> dict[int, list[tuple[str, str]]]:
    """For each line its kinds of notes, each with its words: what happens, then the values."""
    lines: dict[int, dict[str, list[Note]]] = {}
    for note in notes:
        lines.setdefault(note.span.line, {}).setdefault(note.kind, []).append(note)
    return {
        line: [
            (kind, "; ".join(_phrases(kind, kinds[kind]))) for kind in sorted(kinds, key=_is_type)
        ]
        for line, kinds in sorted(lines.items())
    }


def _is_type(kind: str) -> bool:
    return kind in (COMPILE_TIME, RUN_TIME)


def _phrases(kind: str, notes: Iterable[Note]) -> Iterator[str]:
    """A phrase for each subject; what several rounds or calls say of it is said together."""
    subjects: dict[str, Counter[str]] = {}
    for note in notes:
        subjects.setdefault(note.subject, Counter())[note.text] += 1
    for subject, texts in subjects.items():
        yield escape(_PHRASES[kind](subject, texts))


def _listed(texts: Iterable[str], separator: str) -> str:
    """All of a few texts; of many, the first ones and the last."""
    every = list(texts)
    if len(every) <= _MOST_VALUES:
        return separator.join(every)
    return f"{separator.join(every[: _MOST_VALUES - 1])} … {every[-1]}"


def _static_phrase(subject: str, texts: Counter[str]) -> str:
    values = _listed(texts, ", ")
    return f"{subject} = {values}" if subject else f"returns {values}"


def _typed_phrase(subject: str, texts: Counter[str]) -> str:
    values = _listed(texts, " or ")
    return f"{subject}: {values}" if subject else f"returns {values}"


def _folded_phrase(subject: str, texts: Counter[str]) -> str:
    if len(texts) > 1:
        return f"{subject}: true or false, by the round or the call"
    return f"{subject}: always {next(iter(texts))}"


def _call_phrase(subject: str, texts: Counter[str]) -> str:
    return ", ".join(
        f"{subject}: {text}{f', {count} times' if count > 1 else ''}"
        for text, count in texts.items()
    )


_PHRASES: dict[str, Callable[[str, Counter[str]], str]] = {
    COMPILE_TIME: _static_phrase,
    RUN_TIME: _typed_phrase,
    FOLDED: _folded_phrase,
    UNROLLED: lambda _, texts: _listed(texts, ", "),
    LOOP: lambda subject, _: subject,
    CALL: _call_phrase,
    IN_PLACE: lambda subject, _: f"writes into {subject}",
}
