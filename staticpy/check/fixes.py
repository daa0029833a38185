"""Applies the fixes of findings to the text of a file.

In: a text and how to check it. Out: the text with its fixes made, as far as they can be. A fix that
leaves a text that is not Python, or that has as many findings or more errors than before, is not
made. Comments, layout and line ends stay, as only what the edits name is written anew.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from staticpy.check.core import Checker, FileResult
from staticpy.diagnostics import Diagnostic, Edit, Severity, catalog, edited
from staticpy.source import SourceError, decode, encoding_of, read_bytes

_ROUNDS = 20
"""A fix may make room for another one; after so many rounds it is enough."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file before and after; what was fixed, and what is left."""

    file: str
    before: str
    after: str
    applied: tuple[Diagnostic, ...]
    left: FileResult
    encoding: str = "utf-8"

    @property
    def has_changed(self) -> bool:
        """Whether there is something to write."""
        return self.after != self.before


def fix_file(checker: Checker, file: str, *, allow_unsafe: bool) -> Fixed | None:
    """The fixes of a file; None where it can't be read. Nothing is written."""
    try:
        data = read_bytes(file)
        decode(data, file)
        encoding = encoding_of(data, file)
    except SourceError:
        return None
    fixed = fix_text(checker, data.decode(encoding), file, allow_unsafe=allow_unsafe)
    return replace(fixed, encoding=encoding)


def fix_text(checker: Checker, text: str, file: str, *, allow_unsafe: bool) -> Fixed:
    """The fixes of a text."""
    before, applied, refused = text, list[Diagnostic](), set[object]()
    result = checker.check_text(text, file)
    for _ in range(_ROUNDS):
        candidates = [
            item
            for item in result.findings
            if is_applicable(item, file, allow_unsafe=allow_unsafe) and _key(item) not in refused
        ]
        if not candidates:
            break
        for chosen in (_apart(candidates), *([item] for item in candidates)):
            attempt = _attempt(checker, text, file, chosen, result)
            if attempt is not None:
                text, result = attempt
                applied += chosen
                break
            refused.update(map(_key, chosen) if len(chosen) == 1 else ())
    return Fixed(file, before, text, tuple(applied), result)


def fix_one(checker: Checker, text: str, file: str, item: Diagnostic, old: FileResult) -> str:
    """The text with the fix of one of its findings, ``text`` where that would be refused."""
    attempt = _attempt(checker, text, file, [item], old)
    return attempt[0] if attempt else text


def is_applicable(item: Diagnostic, file: str, *, allow_unsafe: bool) -> bool:
    """Whether the fix of a finding may be made in a file."""
    fix = item.fix
    if fix is None or not (fix.is_safe or allow_unsafe):
        return False
    return bool(fix.edits) and all(edit.span.file == file for edit in fix.edits)


def _key(item: Diagnostic) -> object:
    return item.code, item.span, item.fix


def _apart(candidates: Sequence[Diagnostic]) -> list[Diagnostic]:
    """As many of the findings as have fixes that touch no text of each other."""
    chosen: list[Diagnostic] = []
    taken: list[Edit] = []
    for item in candidates:
        edits = item.fix.edits if item.fix else ()
        if not any(_touch(one, other) for one in edits for other in taken):
            chosen.append(item)
            taken += edits
    return chosen


def _touch(one: Edit, other: Edit) -> bool:
    first, second = sorted((one.span, other.span), key=lambda span: (span.line, span.col))
    return (second.line, second.col) <= (first.end_line, first.end_col)


def _attempt(
    checker: Checker, text: str, file: str, chosen: Sequence[Diagnostic], old: FileResult
) -> tuple[str, FileResult] | None:
    """The text with fixes made, and its findings; None where it is no better."""
    newline = _newline(text)
    edits = [
        replace(edit, text=edit.text.replace("\n", newline))
        for item in chosen
        for edit in (item.fix.edits if item.fix else ())
    ]
    try:
        new = edited(text, edits)
    except ValueError:
        return None
    result = checker.check_text(new, file)
    is_broken = any(
        item.spec in (catalog.SYNTAX_ERROR, catalog.INTERNAL_ERROR) for item in result.findings
    )
    if is_broken or _errors(result) > _errors(old) or len(result.findings) >= len(old.findings):
        return None
    return new, result


def _newline(text: str) -> str:
    end = text.find("\n")
    if end > 0 and text[end - 1] == "\r":
        return "\r\n"
    return "\n" if end >= 0 or "\r" not in text else "\r"


def _errors(result: FileResult) -> int:
    return sum(item.severity is Severity.ERROR for item in result.findings)


def write(file: str, text: str, encoding: str) -> None:
    """Write a file as a whole or not at all, with the permissions that it has.

    Raises:
        OSError: it can't be written. UnicodeEncodeError: its encoding doesn't have the text.
    """
    data = text.encode(encoding)
    path = Path(os.path.realpath(file))
    mode = path.stat().st_mode
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.chmod(mode & 0o7777)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
