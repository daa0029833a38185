"""The source lines of a diagnostic, with marks under the exact characters that it is about.

In: the span, its labels and the lines of the files. Out: the width of the gutter and the lines

      |
    4 |         y = x * 2
      |         - f64[n] here
    ...
    7 |     return y
      |            ^

One row of marks a span, so that labels never collide. Tabs, wide and hidden characters are shown
at the width that they take, and the marks follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from staticpy.diagnostics.spec import Label
from staticpy.diagnostics.text import escape, shown_source, width
from staticpy.source import SourceSpan

SourceLines = Callable[[str], Sequence[str]]
"""Gives the lines of a file, without line ends; nothing for a file that it doesn't have."""

_MOST_LINES = 6
"""Lines of one span that are shown; of a longer one, all but the last of these and its end."""
_WIDEST = 160
"""Characters of one source line that are shown; of a longer one, those about its first mark."""
_SMALL_GAP = 1
"""Unmarked lines between marked ones that are shown rather than left out."""


@dataclass(frozen=True, slots=True)
class Style:
    """Colours, or none."""

    color: bool = False

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return self._paint("1", text)

    def error(self, text: str) -> str:
        """The colour of errors and of primary marks."""
        return self._paint("1;31", text)

    def warning(self, text: str) -> str:
        """The colour of warnings."""
        return self._paint("1;33", text)

    def gutter(self, text: str) -> str:
        """The colour of line numbers and secondary marks."""
        return self._paint("1;34", text)


@dataclass(frozen=True, slots=True)
class _Mark:
    """One row of marks: the characters ``start`` to ``end`` of a line, and what is said of them."""

    line: int
    start: int
    end: int
    is_primary: bool
    text: str


def snippet(
    span: SourceSpan, labels: Sequence[Label], lines: SourceLines, style: Style
) -> tuple[int, list[str]]:
    """The lines to show for ``span`` and ``labels``, file by file, and the gutter's width."""
    files = list(dict.fromkeys([span.file, *(label.span.file for label in labels)]))
    marked: dict[str, list[_Mark]] = {}
    for file in files:
        text = lines(file)
        marks: list[_Mark] = []
        if span.file == file:
            marks += _marks(span, _texts_at(span, labels), text, True)
        for label in labels:
            if label.span.file == file and not _is_same_place(label.span, span):
                marks += _marks(label.span, label.text, text, False)
        if marks:
            marked[file] = marks
    last = max((mark.line for marks in marked.values() for mark in marks), default=1)
    gutter = len(str(last))
    shown: list[str] = []
    for file, marks in marked.items():
        if file != span.file:
            place = f"{escape(file)}:{marks[0].line}:{marks[0].start + 1}"
            shown.append(f"{' ' * gutter} {style.gutter(':::')} {place}")
        shown += _file(marks, lines(file), gutter, style)
    return gutter, shown


def _is_same_place(left: SourceSpan, right: SourceSpan) -> bool:
    return left.place == right.place


def _texts_at(span: SourceSpan, labels: Sequence[Label]) -> str:
    """What the labels say that stand at ``span`` itself: it goes to the primary marks."""
    return ", ".join(label.text for label in labels if _is_same_place(label.span, span))


def _marks(span: SourceSpan, text: str, lines: Sequence[str], is_primary: bool) -> Iterator[_Mark]:
    """The marks of a span: one, or for a longer one a mark under the text of each line."""
    if not 1 <= span.line <= len(lines):
        return
    last = min(max(span.end_line, span.line), len(lines))
    numbers = list(range(span.line, last + 1))
    if len(numbers) > _MOST_LINES:
        numbers = [*numbers[: _MOST_LINES - 1], last]
    for number in numbers:
        line = lines[number - 1]
        start = span.col if number == span.line else len(line) - len(line.lstrip())
        end = span.end_col if number == span.end_line else len(line.rstrip())
        start = max(0, min(start, len(line)))
        # An empty stretch (the end of a line, of a file) still gets one mark.
        end = max(min(end, len(line)), start + 1)
        is_blank = number not in (span.line, last) and not line.strip()
        if not is_blank:
            yield _Mark(number, start, end, is_primary, text if number == last else "")


def _file(marks: list[_Mark], lines: Sequence[str], gutter: int, style: Style) -> Iterator[str]:
    bar = style.gutter("|")
    empty = f"{' ' * gutter} {bar}"
    yield empty
    previous = 0
    by_line: dict[int, list[_Mark]] = {}
    for mark in sorted(marks, key=lambda mark: mark.start):
        by_line.setdefault(mark.line, []).append(mark)
    for number in _shown_numbers(marks):
        if previous and number > previous + 1:
            yield style.gutter("...")
        previous = number
        here = by_line.get(number, [])
        line, offset = _window(lines[number - 1], here)
        text = shown_source(line).rstrip()
        yield f"{style.gutter(str(number).rjust(gutter))} {bar} {text}".rstrip()
        yield from (f"{empty} {_mark_row(mark, line, offset, style)}" for mark in here)


def _shown_numbers(marks: list[_Mark]) -> list[int]:
    numbers = sorted({mark.line for mark in marks})
    shown: list[int] = []
    for number in numbers:
        if shown and number - shown[-1] - 1 <= _SMALL_GAP:
            shown += range(shown[-1] + 1, number)
        shown.append(number)
    return shown


def _window(line: str, marks: list[_Mark]) -> tuple[str, int]:
    """The part of a long line that is shown, and the index of its first character."""
    if len(line) <= _WIDEST:
        return line, 0
    first = min((mark.start for mark in marks), default=0)
    offset = max(0, min(first - _WIDEST // 4, len(line) - _WIDEST))
    window = line[offset : offset + _WIDEST]
    if offset + _WIDEST < len(line):
        window = window[:-1] + "…"
    return ("…" + window[1:] if offset else window), offset


def _mark_row(mark: _Mark, line: str, offset: int, style: Style) -> str:
    start = max(0, mark.start - offset)
    end = max(start + 1, mark.end - offset)
    before, under = (width(shown_source(part)) for part in (line[:start], line[start:end]))
    paint = style.error if mark.is_primary else style.gutter
    row = ("^" if mark.is_primary else "-") * max(under, 1)
    text = f" {escape(mark.text.strip())}".rstrip()
    return " " * before + paint(row + text)
