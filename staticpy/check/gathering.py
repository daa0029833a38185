"""Brings what was found in functions that other files call to the results of their own files.

In: the results of a run, each with what was found elsewhere. Out: the results, each with all that
was found in its file, once for all callers; one more for each file that is called but was not
among the checked ones.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from staticpy.check.core import Checker, FileResult
from staticpy.check.files import Target
from staticpy.diagnostics import Diagnostic


def gathered(
    checker: Checker, targets: Sequence[Target], results: Sequence[FileResult]
) -> list[FileResult]:
    """The results with each finding in that of its own file.

    Args:
        checker: what has checked the files.
        targets: the files.
        results: the result of each.
    """
    called = _by_file(results)
    found = []
    for target, result in zip(targets, results, strict=True):
        items = called.pop(_key(target.path), ())
        found.append(checker.check(target, _moved(items, target.path)) if items else result)
    for items in called.values():
        file = items[0].span.file
        found.append(checker.check_called(file, _moved(items, file)))
    return found


def _by_file(results: Sequence[FileResult]) -> dict[str, list[Diagnostic]]:
    found = defaultdict[str, list[Diagnostic]](list)
    for result in results:
        for item in result.elsewhere:
            found[_key(item.span.file)].append(item)
    return found


def _key(file: str) -> str:
    return os.path.normpath(Path(file).absolute())


def _moved(items: Sequence[Diagnostic], file: str) -> list[Diagnostic]:
    """Findings under the name that a run has for their file."""
    return [
        item if item.span.file == file else replace(item, span=replace(item.span, file=file))
        for item in items
    ]
