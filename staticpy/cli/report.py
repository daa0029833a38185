"""What ``check`` writes: findings in the format that was asked for, and a summary.

In: the findings of one file after the other. Out: text on a stream. The text formats are written as
files are checked; JSON is one array, written at the end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from staticpy.diagnostics import (
    Diagnostic,
    Severity,
    SourceLines,
    as_json,
    render_concise,
    render_full,
)

FORMATS = ("full", "concise", "json")


class Report:
    """Writes findings to ``stream`` and counts them."""

    def __init__(self, stream: TextIO, style: str, *, color: bool, quiet: bool) -> None:
        self._stream = stream
        self._style = style
        self._color = color
        self._quiet = quiet
        self._items: list[dict[str, object]] = []
        self._files = 0
        self._counts = dict.fromkeys(Severity, 0)

    @property
    def has_errors(self) -> bool:
        """Whether a finding was an error."""
        return self._counts[Severity.ERROR] > 0

    def add(self, findings: Sequence[Diagnostic], lines: SourceLines) -> None:
        """Write the findings of one file; ``lines`` gives the source lines to show."""
        if not findings:
            return
        self._files += 1
        for finding in findings:
            self._counts[finding.spec.severity] += 1
        if self._style == "json":
            self._items += map(as_json, findings)
        elif self._style == "concise":
            self._write(render_concise(findings, color=self._color))
        else:
            self._write(render_full(findings, lines, color=self._color) + "\n")

    def finish(self, checked: int, unchecked: int) -> None:
        """Write what comes at the end: the array, or the summary of ``checked`` files, in which
        ``unchecked`` functions could be checked only in part.
        """
        if self._style == "json":
            self._write(json.dumps(self._items, indent=2))
        elif not self._quiet:
            self._write(self._summary(checked))
            if unchecked:
                what = _counted(unchecked, "function")
                self._write(f"{what} could be checked only in part; -v shows where and why.")
        self._stream.flush()

    def _summary(self, checked: int) -> str:
        found = [_counted(count, str(kind)) for kind, count in self._counts.items() if count]
        if not found:
            return f"No errors in {_counted(checked, 'file')}."
        where = f"{self._files} of {_counted(checked, 'file')}"
        return f"Found {', '.join(found)} in {where}."

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 or noun == "info" else f"{count} {noun}s"
