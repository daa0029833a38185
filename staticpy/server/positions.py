"""Positions between the compiler's, in code points, and the editor's, mostly in UTF-16.

In: spans or positions, and the lines of a text. Out: the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from staticpy.source import SourceSpan

_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Positions:
    """The positions of one text."""

    def __init__(self, lines: Sequence[str], encoding: str = "utf-16") -> None:
        self._lines = lines
        self._codec, self._width = _WIDTHS[encoding]

    def range(self, span: SourceSpan) -> lsp.Range:
        """The range of a span; what lies outside of the text is moved to its edge."""
        return lsp.Range(self._to(span.line, span.col), self._to(span.end_line, span.end_col))

    def _to(self, line: int, col: int) -> lsp.Position:
        line = min(max(line, 1), max(len(self._lines), 1))
        text = self._lines[line - 1] if self._lines else ""
        return lsp.Position(line - 1, self._units(text[: max(col, 0)]))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._width

    def point(self, position: lsp.Position) -> tuple[int, int]:
        """Line, from 1, and column in code points of an editor's position."""
        if not 0 <= position.line < len(self._lines):
            return position.line + 1, 0
        text, units = self._lines[position.line], 0
        for col, character in enumerate(text):
            if units >= position.character:
                return position.line + 1, col
            units += self._units(character)
        return position.line + 1, len(text)
