"""Positions in source text."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

OWN_FILES = str(Path(__file__).parent.parent) + os.sep
"""How the names of this package's own files begin, which a user's line is not in."""
_LIBRARY = str(Path(os.__file__).parent) + os.sep
_INSTALLED = (f"{_LIBRARY}site-packages", f"{_LIBRARY}dist-packages")


@dataclass(unsafe_hash=True, slots=True)
class SourceSpan:
    """A stretch of source text: a value, to which nobody writes. It is not frozen, as one is made
    for each node that is compiled, and a frozen dataclass takes three times as long to make.

    ``line`` and ``end_line`` count from 1; ``col`` and ``end_col`` count characters from 0, the end
    exclusive. ``function`` is the qualified name of the function that holds the text, and
    ``inlined_at`` the call that brought it into another function.
    """

    file: str
    line: int
    col: int
    end_line: int
    end_col: int
    function: str = ""
    inlined_at: SourceSpan | None = None

    @property
    def place(self) -> tuple[str, int, int, int, int]:
        """Where it stands, whichever way leads there."""
        return self.file, self.line, self.col, self.end_line, self.end_col

    def inlined(self, call: SourceSpan) -> SourceSpan:
        """This span, reached through ``call``: the outermost span of its chain gets the call."""
        outer = self.inlined_at.inlined(call) if self.inlined_at else call
        line, end_line = self.line, self.end_line
        return SourceSpan(self.file, line, self.col, end_line, self.end_col, self.function, outer)

    def outside(self, folder: str) -> SourceSpan:
        """This span; of text in ``folder``, the call that leads into it from elsewhere, if any. The
        calls in ``folder`` that lead to it are left out.
        """
        if self.inlined_at is None:
            return self
        spans = [self]
        current: SourceSpan | None = self.inlined_at
        while current is not None:
            spans.append(current)
            current = current.inlined_at
        kept = [span for span in spans if not span.file.startswith(folder)] or spans[-1:]
        if len(kept) == len(spans):
            return self
        outer: SourceSpan | None = None
        for span in reversed(kept):
            outer = replace(span, inlined_at=outer)
        assert outer is not None
        return outer

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col + 1}"


def line_span(
    file: str, line: int, namespace: dict[str, Any] | None = None, function: str = ""
) -> SourceSpan:
    """A line without its indentation; ``namespace`` is that of the module, as linecache has it."""
    text = linecache.getline(file, line, namespace).rstrip()
    return SourceSpan(file, line, len(text) - len(text.lstrip()), line, len(text), function)


NO_SPAN = SourceSpan("<unknown>", 0, 0, 0, 0)
"""The span of what was made by hand, such as a module read from text without positions."""


class SourceError(Exception):
    """Source text that can't be had, or can't be read.

    This layer is below the diagnostics, so ``kind`` is the name of a constant of their catalogue,
    such as ``"SYNTAX_ERROR"``, and ``fields`` fills its message.
    """

    def __init__(self, kind: str, span: SourceSpan | None = None, **fields: object) -> None:
        super().__init__(f"{kind}: {fields}")
        self.kind = kind
        self.span = span
        self.fields = fields


def is_of_library(span: SourceSpan) -> bool:
    """Whether a span is of a file of Python's standard library."""
    return span.file.startswith(_LIBRARY) and not span.file.startswith(_INSTALLED)
