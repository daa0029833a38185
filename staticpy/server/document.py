"""One text that an editor has open: what it is answered.

In: a text, its URI, and how the editor counts columns. Out: the values of the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from staticpy.check import (
    Checker,
    FileResult,
    Known,
    Settings,
    at_call,
    fix_one,
    fix_text,
    is_applicable,
    is_excluded,
    known_of,
    show,
    with_ignores,
)
from staticpy.diagnostics import Diagnostic, Severity, escape, render_full
from staticpy.server.changes import edits_between
from staticpy.server.positions import Positions
from staticpy.source import SourceSpan, normalize, read_text

FIX_ALL = "source.fixAll.staticpy"
SHOW = "staticpy.show"

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_LENSES = (("graph", "ir", False), ("source", "source", False), ("gradient", "source", True))


class Document:
    """A text, checked by settings when something is first asked of it."""

    def __init__(
        self,
        uri: str,
        text: str,
        settings: Settings,
        encoding: str,
        reader: Callable[[str], str] = read_text,
    ) -> None:
        self.uri = uri
        self.file = to_fs_path(uri) or uri
        self.text = text
        self._checker = Checker(settings, reader=reader)
        self._settings = settings
        self._lines = normalize(text).split("\n")
        self._positions = Positions(self._lines, encoding)
        self._result: FileResult | None = None

    @property
    def result(self) -> FileResult:
        """The findings, as ``staticpy check`` has them."""
        if self._result is None:
            is_left_out = is_excluded(self.file, self._settings)
            empty = FileResult(self.file)
            found = empty if is_left_out else self._checker.check_text(self.text, self.file)
            self._result = found
        return self._result

    # --- findings ---------------------------------------------------------------------------------

    def diagnostics(self) -> list[lsp.Diagnostic]:
        """The findings for the editor to mark."""
        found = map(self._diagnostic, self.result.findings)
        called = (at_call(item, self.file) for item in self.result.elsewhere)
        return [*found, *map(self._diagnostic, called)]

    def _diagnostic(self, item: Diagnostic) -> lsp.Diagnostic:
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(self._uri(label.span), self._range(label.span)), label.text
            )
            for label in item.labels
        ]
        return lsp.Diagnostic(
            range=self._range(item.span),
            message=f"{item.message}\n{item.help}" if item.help else item.message,
            severity=_SEVERITIES[item.severity],
            code=item.code,
            source="staticpy",
            related_information=related or None,
        )

    def _uri(self, span: SourceSpan) -> str:
        return self.uri if span.file == self.file else Path(span.file).absolute().as_uri()

    def _range(self, span: SourceSpan) -> lsp.Range:
        return self._positions.range(span)

    # --- actions ----------------------------------------------------------------------------------

    def actions(self, range_: lsp.Range, only: Sequence[str] | None) -> list[lsp.CodeAction]:
        """The fixes of the findings in a range, comments that hide them, and the fix of all."""
        found: list[lsp.CodeAction] = []
        if _is_wanted(lsp.CodeActionKind.QuickFix, only):
            first, last = range_.start.line + 1, range_.end.line + 1
            for item in self.result.findings:
                if item.span.line <= last and first <= item.span.end_line:
                    found += self._of(item)
        if _is_wanted(FIX_ALL, only):
            fixed = fix_text(self._checker, self.text, self.file, allow_unsafe=False)
            if fixed.has_changed:
                title = "Make all fixes of staticpy"
                found.append(self._action(title, FIX_ALL, fixed.after, None))
        return found

    def _of(self, item: Diagnostic) -> list[lsp.CodeAction]:
        kind, found = lsp.CodeActionKind.QuickFix, []
        if item.fix and is_applicable(item, self.file, allow_unsafe=True):
            after = fix_one(self._checker, self.text, self.file, item, self.result)
            if after != self.text:
                found.append(self._action(item.fix.title, kind, after, item))
        after, count = with_ignores(self.text, [item])
        if count and after != self.text:
            found.append(self._action(f"Hide {item.code} by a comment", kind, after, item))
        return found

    def _action(self, title: str, kind: str, after: str, item: Diagnostic | None) -> lsp.CodeAction:
        """What makes the text another one, for an editor to offer."""
        changes = edits_between(self.text, after, self.file)
        edits = [lsp.TextEdit(self._range(edit.span), edit.text) for edit in changes]
        return lsp.CodeAction(
            title=title,
            kind=kind,
            diagnostics=[self._diagnostic(item)] if item else None,
            edit=lsp.WorkspaceEdit(changes={self.uri: edits}),
            is_preferred=bool(item and item.fix and item.fix.is_safe and title == item.fix.title),
        )

    # --- knowledge --------------------------------------------------------------------------------

    def _known(self) -> list[Known]:
        return known_of(self.text, self.file, self._checker.open_project)

    def show(self, name: str, stage: str, *, is_gradient: bool) -> str:
        """The text of a function at a stage, or why there is none."""
        argnums = 0 if is_gradient else None
        text, found = show(self.text, self.file, name, stage, argnums, self._checker.open_project)
        return text if text is not None else render_full(found, lambda _: self._lines)

    def hover(self, position: lsp.Position) -> lsp.Hover | None:
        """Type, shape and binding time of the variable at a position, as last set before it."""
        line, col = self._positions.point(position)
        word = self._word(line, col)
        if not word:
            return None
        for known in self._known():
            if not known.span.line <= line <= known.span.end_line:
                continue
            notes = [
                note
                for note in known.notes
                if note.span.file == self.file and note.subject == word and note.span.line <= line
            ]
            if notes:
                last = max(notes, key=lambda note: (note.span.line, note.span.col))
                text = f"```python\n{word}{_joint(last)}{last.text}\n```\n{last.kind}"
                return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, escape_lines(text)))
        return None

    def _word(self, line: int, col: int) -> str:
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        words = re.finditer(r"\w+", text)
        return next((word[0] for word in words if word.start() <= col <= word.end()), "")

    def hints(self, range_: lsp.Range) -> list[lsp.InlayHint]:
        """The types of the variables, behind the names that are set in a range."""
        found: dict[tuple[int, int], lsp.InlayHint] = {}
        for known in self._known():
            for note in known.notes:
                span = note.span
                is_inside = range_.start.line < span.line <= range_.end.line + 1
                if span.file != self.file or not is_inside or not self._names(span, note.subject):
                    continue
                position = self._range(span).end
                label = f"{_joint(note)}{note.text}".rstrip()
                found[position.line, position.character] = lsp.InlayHint(
                    position, escape(label), kind=lsp.InlayHintKind.Type
                )
        return list(found.values())

    def _names(self, span: SourceSpan, subject: str) -> bool:
        """Whether a span is the name of a variable, without an annotation behind it."""
        if not subject.isidentifier() or span.line != span.end_line:
            return False
        line = self._lines[span.line - 1]
        return line[span.col : span.end_col] == subject and not line[span.end_col :].startswith(":")

    def lenses(self) -> list[lsp.CodeLens]:
        """What can be seen of each function that is compiled."""
        return [
            lsp.CodeLens(
                range=self._range(known.span),
                command=lsp.Command(
                    title=f"Show {title}",
                    command=SHOW,
                    arguments=[self.uri, known.name, stage, is_gradient],
                ),
            )
            for known in self._known()
            for title, stage, is_gradient in _LENSES
        ]


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _joint(note: object) -> str:
    return " = " if getattr(note, "kind", "") == "compile-time" else ": "


def escape_lines(text: str) -> str:
    """The text with its lines, but no other control characters."""
    return "\n".join(map(escape, text.split("\n")))
