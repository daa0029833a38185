"""``staticpy check``: what in these files could not be compiled, without importing or running them.

In: paths. Out: a report and an exit code. Each file goes through the same ``analyze`` as a call of
a decorated function does, with the types of the annotations.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TextIO

from staticpy.cli.console import add_color, lines_on_disk, wants_color, warn
from staticpy.cli.discover import STDIN, Target, discover
from staticpy.cli.exits import FINDINGS, INTERNAL, OK, USAGE
from staticpy.cli.report import FORMATS, Report
from staticpy.diagnostics import Diagnostic, Diagnostics, Severity, catalog
from staticpy.source import MAX_BYTES, SourceError, SourceSpan, decode, from_text, read_text

SCOPES = ("decorated", "reachable", "all")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of ``staticpy check``."""
    parser = commands.add_parser(
        "check",
        help="report what cannot be compiled, without running it",
        description="Report what cannot be compiled in Python files. Nothing is imported or run.",
        epilog="Exit codes: 0 no errors, 1 errors, 2 bad usage or a named path that is missing or "
        "unreadable, 3 an internal error (SPY902), 130 interrupted.",
    )
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files, folders, or - (default: .)"
    )
    parser.add_argument("--output-format", choices=FORMATS, default="full")
    parser.add_argument("-o", "--output-file", metavar="FILE", help="write the report there")
    parser.add_argument(
        "--scope",
        choices=SCOPES,
        default="decorated",
        help="decorated: the functions given to staticpy.jit (default); reachable: what they call, "
        "too; all: every function, as if it were decorated",
    )
    parser.add_argument("--exit-zero", action="store_true", help="end with 0 in spite of errors")
    parser.add_argument(
        "--stdin-filename", metavar="NAME", default="<stdin>", help="what to call the input of -"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary")
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="show where a function is checked only in part; tracebacks of internal errors",
    )
    add_color(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the paths, write the report, return the exit code."""
    with ExitStack() as stack:
        stream = _output(options.output_file, stack)
        if stream is None:
            return USAGE
        color = wants_color(options.color, stream) and options.output_file is None
        report = Report(stream, options.output_format, color=color, quiet=options.quiet)
        checker = _Checker(options)
        checked = 0
        for target in discover(options.paths):
            findings = checker.check(target)
            if findings is not None:
                checked += 1
                report.add(findings, checker.lines)
        if not checked and not checker.unreadable:
            warn("no Python files under the given paths")
        report.finish(checked, 0 if options.verbose else checker.unchecked)
    if checker.failed:
        return INTERNAL
    if checker.unreadable:
        return USAGE
    return FINDINGS if report.has_errors and not options.exit_zero else OK


def _output(path: str | None, stack: ExitStack) -> TextIO | None:
    if path is None:
        return sys.stdout
    try:
        # Closed by the stack: it has to stay open for the whole run.
        stream = Path(path).open("w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
    except OSError as error:
        warn(f"cannot write '{path}': {error.strerror}")
        return None
    return stack.enter_context(stream)


class _Checker:
    """Checks one target after the other; knows what went wrong besides the findings.

    ``failed``: a stage failed. ``unreadable``: a path that the user named could not be read.
    ``unchecked``: how many functions were checked only in part.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._scope: str = options.scope
        self._verbose: bool = options.verbose
        self._stdin_name: str = options.stdin_filename
        self._texts: dict[str, str] = {}
        self.failed = False
        self.unreadable = False
        self.unchecked = 0

    def check(self, target: Target) -> list[Diagnostic] | None:
        """The findings of one file in the order of the text; None for a path that isn't one."""
        is_stdin = target.path == STDIN and target.is_named
        file = self._stdin_name if is_stdin else target.path
        self._texts.clear()
        try:
            text = _read_stdin(file) if is_stdin else read_text(target.path)
            self._texts[file] = text
            found = list(self._check_text(text, file, target.is_named))
        except SourceError as error:
            if target.is_named and error.kind == "UNREADABLE_FILE":
                self.unreadable = True
                warn(f"cannot read '{file}': {error.fields['reason']}")
                return None
            found = [source_diagnostic(error, file)]
        except Exception as error:
            if self._verbose:
                traceback.print_exc()
            found = [_internal_error(error, file)]
        self.failed |= any(item.spec is catalog.INTERNAL_ERROR for item in found)
        infos = [item for item in found if item.spec.severity is Severity.INFO]
        self.unchecked += len(infos)
        if not self._verbose:
            found = [item for item in found if item not in infos]
        return sorted(found, key=lambda item: (item.span.line, item.span.col, item.code))

    def lines(self, file: str) -> Sequence[str]:
        """The source lines of the file that was checked last, or of one that it led to."""
        if file not in self._texts:
            self._texts[file] = "\n".join(lines_on_disk(file))
        return self._texts[file].split("\n")

    def _check_text(self, text: str, file: str, is_named: bool) -> Diagnostics | list[Diagnostic]:
        if ("def " if self._scope == "all" else "staticpy") in text:
            # Loaded here, because most files of most projects have nothing to check.
            check_text: Callable[..., Diagnostics]
            check_text = import_module("staticpy.frontend.check").check_text
            return check_text(text, file, self._scope, say_unchecked=True, derive=_derive)
        if is_named or self._scope == "all":
            from_text(text, file)
        return []


def _derive(module: object) -> None:
    """Expand the derivatives of a graph, if it has any: only then is the runtime loaded."""
    if import_module("staticpy.autodiff").has_derivatives(module):
        import_module("staticpy.runtime").derive(module)


def source_diagnostic(error: SourceError, file: str) -> Diagnostic:
    """What a SourceError says, as a finding."""
    span = error.span or SourceSpan(file, 1, 0, 1, 0)
    return Diagnostic(getattr(catalog, error.kind), span, dict(error.fields))


def _internal_error(error: Exception, file: str) -> Diagnostic:
    detail = f"{type(error).__name__}: {error}"
    return Diagnostic(catalog.INTERNAL_ERROR, SourceSpan(file, 1, 0, 1, 0), {"detail": detail})


def _read_stdin(name: str) -> str:
    stream = getattr(sys.stdin, "buffer", None)
    data = stream.read(MAX_BYTES + 1) if stream else os.fsencode(sys.stdin.read())
    if len(data) > MAX_BYTES:
        span = SourceSpan(name, 1, 0, 1, 0)
        raise SourceError("FILE_TOO_LARGE", span, file=name, limit=MAX_BYTES // 1_000_000)
    return decode(data, name)
