"""Checks many files, in the order in which they were found, on one or several processors.

In: targets. Out: a ``FileResult`` for each. Another process gives its results as plain values, so
that what it sends can't depend on how it was made.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from staticpy.check.analysis import Function
from staticpy.check.core import Checker, FileResult, Hidden
from staticpy.check.files import Target
from staticpy.check.serial import Plain, as_plain, from_plain
from staticpy.diagnostics import Diagnostic, catalog
from staticpy.source import SourceSpan, rare_collection

_LEAST = 200
"""Files that are worth the start of another process, which loads NumPy for itself."""
_CHUNK = 20


def check_files(checker: Checker, targets: Sequence[Target], jobs: int = 0) -> Iterator[FileResult]:
    """The results of files.

    Args:
        checker: how to check them.
        targets: the files.
        jobs: how many processes; 0 is as many as there are processors, if there are files enough.
    """
    with rare_collection():
        yield from _check_files(checker, targets, jobs)


def _check_files(checker: Checker, targets: Sequence[Target], jobs: int) -> Iterator[FileResult]:
    if jobs == 0:
        jobs = min(os.cpu_count() or 1, len(targets) // _LEAST)
    if jobs <= 1:
        yield from map(checker.check, targets)
        return
    chunks = [targets[start : start + _CHUNK] for start in range(0, len(targets), _CHUNK)]
    while chunks:
        count = 0
        for results in _in_processes(checker, chunks, jobs):
            count += 1
            yield from results
        # A process has ended before its time: which of these files ends it is seen one by one.
        for target in chunks[count] if count < len(chunks) else ():
            alone = next(_in_processes(checker, [[target]], 1), None)
            yield from alone or [_ended(target)]
        chunks = chunks[count + 1 :]


def _in_processes(
    checker: Checker, chunks: Sequence[Sequence[Target]], jobs: int
) -> Iterator[list[FileResult]]:
    """The results of chunks in their order; no more of them where a process ends by itself."""
    futures = import_module("concurrent.futures")
    with futures.ProcessPoolExecutor(jobs, initializer=_quiet) as pool:
        try:
            for results in pool.map(partial(_check_chunk, checker), chunks):
                yield list(map(_from_plain, results))
        except futures.BrokenExecutor:
            return
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _ended(target: Target) -> FileResult:
    """The result of a file on which Python itself fails."""
    detail: dict[str, object] = {"detail": "the process that checked it has ended"}
    span = SourceSpan(target.path, 1, 0, 1, 0)
    return FileResult(target.path, (Diagnostic(catalog.INTERNAL_ERROR, span, detail),))


def _quiet() -> None:
    """Leave Ctrl-C to the process that waits for the results."""
    signal = import_module("signal")
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _check_chunk(checker: Checker, targets: Sequence[Target]) -> list[Plain]:
    with rare_collection():
        return [_as_plain(checker.check(target)) for target in targets]


def _as_plain(result: FileResult) -> Plain:
    return {
        "file": result.file,
        "findings": [as_plain(item) for item in result.findings],
        "hidden": [[as_plain(item.finding), item.kind, item.reason] for item in result.hidden],
        "unchecked": result.unchecked,
        "unreadable": result.unreadable,
        "functions": result.functions,
        "elsewhere": [as_plain(item) for item in result.elsewhere],
        "read": list(result.read),
    }


def _from_plain(value: Any) -> FileResult:
    return FileResult(
        value["file"],
        tuple(map(from_plain, value["findings"])),
        tuple(Hidden(from_plain(item), kind, reason) for item, kind, reason in value["hidden"]),
        value["unchecked"],
        value["unreadable"],
        tuple(map(Function._make, value["functions"])),
        tuple(map(from_plain, value["elsewhere"])),
        tuple(value["read"]),
    )
