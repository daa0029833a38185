"""What people read: ``full``, ``concise`` and ``grouped``, with a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from staticpy.check import Function
from staticpy.cli.formats.run import Run
from staticpy.diagnostics import Severity, escape, render_concise, render_full


def full(run: Run) -> str:
    """Each finding with its lines, marks, help and calls."""
    parts = [
        render_full(result.findings, run.lines, color=run.color) + "\n\n"
        for result in run.results
        if result.findings
    ]
    return "".join(parts) + summary(run)


def concise(run: Run) -> str:
    """A line for each finding."""
    parts = [
        render_concise(result.findings, color=run.color) + "\n"
        for result in run.results
        if result.findings
    ]
    return "".join(parts) + summary(run)


def grouped(run: Run) -> str:
    """The findings under the names of their files."""
    return "\n".join(_groups(run)) + summary(run)


def _groups(run: Run) -> Iterator[str]:
    for result in run.results:
        if not result.findings:
            continue
        places = [f"{item.span.line}:{item.span.col + 1}" for item in result.findings]
        widest = max(map(len, places))
        yield f"{escape(result.file)}:"
        for place, item in zip(places, result.findings, strict=True):
            rule = f"{item.severity}[{item.code}] {item.spec.slug}"
            yield f"  {place:{widest}} {rule}: {escape(item.message)}"
        yield "\n"


def summary(run: Run) -> str:
    """The last lines: how many findings in how many files, and what was left unsaid."""
    return "" if run.quiet else "".join(f"{line}\n" for line in _summary(run))


def _summary(run: Run) -> Iterator[str]:
    files = counted(run.checked, "file")
    found = [counted(run.counts[kind], str(kind)) for kind in Severity if run.counts[kind]]
    if found:
        where = sum(bool(result.findings) for result in run.results)
        yield f"Found {', '.join(found)} in {where} of {files}."
    else:
        yield f"No errors in {files}."
    if run.lists_functions:
        yield from _functions(run)
    hidden = sum(item.kind == "external" for item in run.hidden)
    if hidden:
        yield f"The baseline hides {counted(hidden, 'finding')}."
    if run.unchecked and not run.verbose:
        what = counted(run.unchecked, "function")
        yield f"{what} could be checked only in part; -v shows where and why."
    yield from run.notes


def _functions(run: Run) -> Iterator[str]:
    """How far the functions are from being graphs: file by file, then all together."""
    total: Counter[str] = Counter()
    for result in run.results:
        counts = Counter(_verdict(each) for each in result.functions)
        total += counts
        if counts:
            yield f"{escape(result.file)}: {_listed(counts)}"
        for each in result.functions if run.verbose else ():
            part = ", as far as it was checked" if each.is_partial else ""
            yield f"  {each.line}: {escape(each.name)}: {each.verdict}{part}"
    if sum(bool(result.functions) for result in run.results) > 1:
        yield f"All: {_listed(total)}"


def _verdict(function: Function) -> str:
    """The verdict without its number of fixes."""
    return "ready after fixes" if function.verdict.startswith("ready after") else function.verdict


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}" if count == 1 or noun == "info" else f"{count} {noun}s"
