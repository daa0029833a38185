"""From one file to its findings: what the command line, the editor and pytest all ask.

In: a path or a text, and the settings. Out: a ``FileResult``. The verdict is the compiler's; the
settings say which of it is reported, comments in the text say what is hidden, and how much is left
unsaid is counted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from staticpy.check.analysis import (
    Analysis,
    Function,
    analyse,
    in_order,
    may_hold_jit,
    source_diagnostic,
)
from staticpy.check.cache import Cache
from staticpy.check.files import Target, relative
from staticpy.check.selection import Rules, rules_of
from staticpy.check.settings import Settings, SettingsError
from staticpy.check.suppressions import (
    apply,
    may_have_suppressions,
    said_of,
    suppressions,
)
from staticpy.diagnostics import Diagnostic, Label, Severity, catalog
from staticpy.source import (
    MAX_BYTES,
    SourceError,
    SourceSpan,
    decode,
    normalize,
    read_text,
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A finding that is not reported: because of a comment (``inSource``) or a baseline
    (``external``), and the reason that is given there.
    """

    finding: Diagnostic
    kind: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What there is to say of one file.

    ``elsewhere``: what was found in other files that this one calls (``gathered`` has it in their
    results); ``read``: the other files that were looked for.
    ``unchecked``: functions that were checked only in part, which a verbose run lists.
    ``unreadable``: why a file that the user named could not be read. ``functions``: those that were
    checked, with what keeps each from being a graph, whatever the settings and comments say.
    """

    file: str
    findings: tuple[Diagnostic, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    unchecked: int = 0
    unreadable: str | None = None
    functions: tuple[Function, ...] = ()
    elsewhere: tuple[Diagnostic, ...] = ()
    read: tuple[str, ...] = ()

    @property
    def has_failed(self) -> bool:
        """Whether a stage of staticpy failed on it."""
        return any(item.spec is catalog.INTERNAL_ERROR for item in self.findings)


NO_FILE = "<string>"
"""The name of a text that is in no project."""


class Checker:
    """Checks files by one set of settings.

    Raises:
        SettingsError: a setting names a rule or a backend that there is not.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        is_verbose: bool = False,
        cache: Cache | None = None,
        reader: Callable[[str], str] = read_text,
    ) -> None:
        self.settings = settings
        self.rules: Rules = rules_of(settings)
        self._is_verbose = is_verbose
        self._cache = cache
        self._reader = reader
        if settings.backend is not None:
            _find_backend(settings.backend)
        self._roots = [str(settings.path(each)) for each in settings.src]
        program = (settings.graph_mode, settings.backend, settings.target_version)
        self.options = (settings.scope, *map(str, program), *self._roots)
        """What of the settings the verdict on a file depends on, as texts."""

    def check(self, target: Target, called: Sequence[Diagnostic] = ()) -> FileResult:
        """The findings of a file.

        Args:
            target: the file.
            called: what was found in it where it is called from other files.
        """
        try:
            data = target.read()
            if len(data) > MAX_BYTES:
                raise _too_large(target.path)
            return self._check_bytes(data, target, called)
        except SourceError as error:
            if target.is_named and error.kind == "UNREADABLE_FILE":
                return FileResult(target.path, unreadable=str(error.fields["reason"]))
            found = Analysis([source_diagnostic(error, target.path)])
            return self._result(found, "", target.path)

    def check_text(self, text: str, file: str, *, is_named: bool = True) -> FileResult:
        """The findings of a text."""
        text = normalize(text)
        return self._result(self._analyse(text, file, is_named), text, file)

    def check_called(self, file: str, called: Sequence[Diagnostic]) -> FileResult:
        """What was found in a file where it is called, and nothing else of it."""
        try:
            text = self._reader(file)
        except SourceError:
            text = ""
        return self._result(Analysis(called), text, file)

    def _check_bytes(self, data: bytes, target: Target, called: Sequence[Diagnostic]) -> FileResult:
        scope, file = self.settings.scope, target.path
        is_compiled = scope == "all" or may_hold_jit(data)
        if not is_compiled and not target.is_named and not called:
            return FileResult(file)
        cache = self._cache if is_compiled else None
        has_comments = may_have_suppressions(data)
        counts_notes = not (has_comments or called or self._is_verbose or self.rules.given)
        found = cache.get(data, file, self.options, counts_notes=counts_notes) if cache else None
        if found is not None and not has_comments:
            return self._result(found, "", file, called)
        text = decode(data, file)
        if found is None:
            found = self._analyse(text, file, target.is_named)
            if cache:
                cache.put(data, file, self.options, found)
        return self._result(found, text, file, called)

    def _analyse(self, text: str, file: str, is_named: bool) -> Analysis:
        scope = self.settings.scope
        project = None if file == NO_FILE else self.open_project
        return analyse(text, file, scope, project, is_named=is_named, is_verbose=self._is_verbose)

    def open_project(self) -> Any:
        """What reads the other files of the project, as they are now."""
        settings = self.settings
        return import_module("staticpy.frontend").Project(
            self._roots,
            self._reader,
            version=settings.target_version or sys.version_info[:2],
            backend=settings.backend,
            is_graph_mode=settings.graph_mode,
        )

    def _result(
        self, analysis: Analysis, text: str, file: str, called: Sequence[Diagnostic] = ()
    ) -> FileResult:
        """What of the verdict is reported."""
        # What is in no file of the project, as in Python's library, is shown where it is called.
        project = {file, *analysis.read}
        found = [
            item if _is_in(item.span.file, project) else at_call(item, file)
            for item in analysis.found
        ]
        own = [item for item in found if item.span.file == file]
        elsewhere = [item for item in found if item.span.file != file]
        selected = self._graded(in_order(_each_once([*own, *called])), file)
        comments = suppressions(text, file)
        kept, hidden = apply(selected, comments)
        if comments:
            lines = {function.line for function in analysis.functions}
            checked = None if self.settings.scope == "all" else lines
            said = said_of(comments, self.rules, text.split("\n"), checked)
            kept = in_order([*kept, *self._graded(said, file)])
        told = [item for item in kept if not self._is_note(item)]
        unchecked = len(kept) - len(told) + self._selected(analysis.unread, file)
        return FileResult(
            file,
            tuple(kept if self._is_verbose else told),
            tuple(Hidden(item, "inSource", comment.reason) for item, comment in hidden),
            unchecked,
            functions=tuple(analysis.functions),
            elsewhere=tuple(elsewhere),
            read=tuple(analysis.read),
        )

    def _graded(self, found: Sequence[Diagnostic], file: str) -> list[Diagnostic]:
        """The findings that the settings select, with the severities that they give."""
        name = self._name(file)
        graded = []
        for item in found:
            severity = self.rules.severity(item.spec, name)
            if severity is not None:
                is_own = severity is item.spec.severity
                graded.append(item if is_own else replace(item, level=severity))
        return graded

    def _selected(self, counts: Mapping[str, int], file: str) -> int:
        """How many findings of these codes the settings select."""
        name, severity = self._name(file), self.rules.severity
        return sum(n for code, n in counts.items() if severity(catalog.by_code(code), name))

    def _name(self, file: str) -> str:
        """A file as the patterns of the settings name it, if there are any."""
        return relative(file, self.settings.root) if self.rules.ignores else ""

    def _is_note(self, item: Diagnostic) -> bool:
        """Whether a finding says that something was not checked, and nobody has asked for it."""
        return item.spec.severity is Severity.INFO and item.code not in self.rules.given


def _find_backend(name: str) -> None:
    try:
        import_module("staticpy.backends").get_backend(name)
    except ValueError as error:
        raise SettingsError(str(error), "backend") from None


def _each_once(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings of which no two say the same of one place, whoever calls it."""
    places = {(item.code, item.span.place[1:]): item for item in reversed(found)}
    return list(reversed(places.values()))


def _is_in(file: str, project: Collection[str]) -> bool:
    return file in project or os.path.normpath(Path(file).absolute()) in project


def at_call(item: Diagnostic, file: str) -> Diagnostic:
    """A finding in a function that a file calls, shown at the call, if there is one."""
    own = [call for call in item.chain if call.file == file]
    place = Label(item.span, f"{item.code} {item.spec.slug}")
    return replace(item, span=own[0], labels=(place, *item.labels)) if own else item


def _too_large(file: str) -> SourceError:
    span = SourceSpan(file, 1, 0, 1, 0)
    return SourceError("FILE_TOO_LARGE", span, file=file, limit=f"{MAX_BYTES // 1_000_000} MB")


def read_stdin() -> bytes:
    """What standard input holds, up to a little more than is checked."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is not None:
        return bytes(stream.read(MAX_BYTES + 1))
    return sys.stdin.read().encode("utf-8", "surrogateescape")
