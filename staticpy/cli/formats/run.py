"""What a run of ``check`` has found, as the formats see it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module

from staticpy.check import FileResult, Hidden
from staticpy.diagnostics import Diagnostic, Severity, SourceLines


@dataclass
class Run:
    """The results of a run, in the order of the files.

    ``lines`` gives the source lines of a file; ``color`` and ``quiet`` are for the formats that
    people read.
    """

    results: Sequence[FileResult]
    lines: SourceLines
    color: bool = False
    quiet: bool = False
    verbose: bool = False
    lists_functions: bool = False
    exit_code: int = 0
    arguments: Sequence[str] = ()
    notes: list[str] = field(default_factory=list)
    """What went wrong besides the findings: files that can't be read."""

    @property
    def findings(self) -> Iterator[Diagnostic]:
        """The findings that are reported, file by file."""
        for result in self.results:
            yield from result.findings

    @property
    def hidden(self) -> Iterator[Hidden]:
        """The findings that a comment or a baseline hides."""
        for result in self.results:
            yield from result.hidden

    @cached_property
    def counts(self) -> Counter[Severity]:
        """How many findings there are of each severity."""
        return Counter(item.severity for item in self.findings)

    @property
    def checked(self) -> int:
        """How many files were read."""
        return sum(result.unreadable is None for result in self.results)

    @property
    def unchecked(self) -> int:
        """How many functions were checked only in part."""
        return sum(result.unchecked for result in self.results)

    def fingerprints(self) -> Iterator[tuple[Diagnostic, str]]:
        """Each finding with a text that stays the same while other lines of its file change: made
        of the file, the code, the function, the line's text, and its number among equal ones.
        """
        seen: Counter[str] = Counter()
        for item in self.findings:
            key = self.key(item)
            seen[key] += 1
            yield item, digest(f"{key}\0{seen[key]}")

    def key(self, item: Diagnostic) -> str:
        """What a finding has in common with equal ones."""
        span = item.span
        lines = self.lines(span.file)
        text = lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""
        return "\0".join([portable(span.file), item.code, span.function, text])


def digest(text: str) -> str:
    """A short name for a text."""
    blake2b = import_module("hashlib").blake2b  # few formats need it
    return str(blake2b(text.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest())


def portable(path: str) -> str:
    """A path with slashes, as tools want it."""
    return path.replace(os.sep, "/")
