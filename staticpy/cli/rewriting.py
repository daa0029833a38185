"""``--fix``, ``--diff`` and ``--add-ignore``: findings as changes of the files.

In: the results of a check. Out: files written, or shown as they would be, and what is left.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from staticpy.check import (
    ALWAYS,
    Checker,
    FileResult,
    Fixed,
    Target,
    fix_file,
    fix_text,
    is_applicable,
    source_diagnostic,
    with_ignores,
    write,
)
from staticpy.cli.console import warn
from staticpy.cli.exits import FINDINGS, INTERNAL, OK, USAGE
from staticpy.cli.formats.plain import counted
from staticpy.cli.texts import Texts
from staticpy.diagnostics import Severity, escape
from staticpy.source import SourceError, decode, encoding_of, read_bytes


class Rewriting:
    """Makes the fixes of the files that have some."""

    def __init__(self, checker: Checker, options: argparse.Namespace, texts: Texts) -> None:
        self._checker = checker
        self._allow_unsafe: bool = options.unsafe_fixes
        self._shows: bool = options.show_fixes
        self._texts = texts
        self._fixed: list[Fixed] = []

    def show(self, targets: Sequence[Target], results: Sequence[FileResult]) -> int:
        """Write the differences that the fixes would make."""
        is_different = False
        for target, result in zip(targets, results, strict=True):
            fixed = self._fix(target, result)
            if fixed is not None and fixed.has_changed:
                is_different = True
                sys.stdout.writelines(_difference(fixed))
        return FINDINGS if is_different else OK

    def write(self, targets: Sequence[Target], results: Sequence[FileResult]) -> list[FileResult]:
        """Write the files anew, and return what is left of the results. The text of standard input
        goes to standard output, where the report would be in its way.
        """
        left: list[FileResult] = []
        for target, result in zip(targets, results, strict=True):
            fixed = self._fix(target, result)
            if target.data is not None and result.unreadable is None:
                sys.stdout.write(fixed.after if fixed else _text(target))
            elif fixed is not None and fixed.has_changed:
                is_written = _written(fixed.file, fixed.after, fixed.encoding)
                fixed = fixed if is_written else None
            if fixed is not None:
                self._fixed.append(fixed)
            left.append(fixed.left if fixed else result)
        return left

    def _fix(self, target: Target, result: FileResult) -> Fixed | None:
        """The fixes of a file; None where there are none."""
        file, allow_unsafe = target.path, self._allow_unsafe
        items = result.findings
        if not any(is_applicable(item, file, allow_unsafe=allow_unsafe) for item in items):
            return None
        if target.data is not None:
            return fix_text(self._checker, _text(target), file, allow_unsafe=allow_unsafe)
        return fix_file(self._checker, file, allow_unsafe=allow_unsafe)

    @property
    def has_written(self) -> bool:
        """Whether a file is another one than it was."""
        return any(fixed.has_changed for fixed in self._fixed)

    def notes(self) -> list[str]:
        """What was fixed, for the end of a report."""
        count = sum(len(fixed.applied) for fixed in self._fixed)
        lines = [f"Fixed {counted(count, 'finding')}."] if count else []
        for fixed in self._fixed if self._shows else ():
            lines.append(f"{escape(fixed.file)}:")
            rules = Counter((item.code, item.spec.slug) for item in fixed.applied)
            lines += [f"  {count} x {code} {name}" for (code, name), count in sorted(rules.items())]
        return lines


def _text(target: Target) -> str:
    try:
        return decode(target.data or b"", target.path)
    except SourceError:
        return ""


def _written(file: str, text: str, encoding: str) -> bool:
    try:
        write(file, text, encoding)
    except OSError as error:
        warn(f"cannot write '{file}': {error.strerror}")
    except UnicodeEncodeError:
        warn(f"cannot write '{file}': its encoding is {encoding}")
    else:
        return True
    return False


def _difference(fixed: Fixed) -> Iterator[str]:
    before, after = (text.splitlines(keepends=True) for text in (fixed.before, fixed.after))
    name = escape(fixed.file)
    for line in difflib.unified_diff(before, after, name, name):
        end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
        yield f"{line}{end}"


def add_ignores(results: Sequence[FileResult], reason: str) -> int:
    """Hide each finding by a comment in the file."""
    total = files = 0
    is_complete = True
    for result in results:
        if all(item.code in ALWAYS for item in result.findings):
            continue  # it may be no text; `say_unchecked` says what it is
        try:
            data = read_bytes(result.file)
            decode(data, result.file)
            encoding = encoding_of(data, result.file)
        except SourceError as error:  # it is another one than was checked
            warn(f"cannot read '{result.file}': {source_diagnostic(error, result.file).message}")
            is_complete = False
            continue
        before = data.decode(encoding)
        after, count = with_ignores(before, result.findings, reason)
        if after == before:
            continue
        if _written(result.file, after, encoding):
            total, files = total + count, files + 1
        else:
            is_complete = False
    print(f"Added comments for {counted(total, 'finding')} in {counted(files, 'file')}.")
    return OK if is_complete else USAGE


def say_unchecked(results: Sequence[FileResult]) -> int:
    """Say which files could not be checked, where no report does, and how the command ends."""
    code = OK
    for result in results:
        for item in result.findings if result.unreadable is None else ():
            if item.code in ALWAYS and item.severity is Severity.ERROR:
                warn(f"{item.span}: {item.message}")
                code = INTERNAL if result.has_failed else max(code, FINDINGS)
    return code
