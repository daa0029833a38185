"""The requests of an editor, and what answers each.

In: requests on standard input. Out: answers on standard output, on which nothing else is printed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from staticpy import __version__
from staticpy.check import STAGES, Settings, SettingsError, load
from staticpy.server.document import FIX_ALL, SHOW, Document
from staticpy.source import SourceError, read_text


def serve() -> None:
    """Answer an editor until it ends the connection."""
    make_server().start_io()


def make_server() -> Any:
    """A server with everything that it answers."""
    server = LanguageServer("staticpy", __version__)
    answers = Answers(server)
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL]
    pull = lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier="staticpy"
    )
    for method, answer, options in (
        (lsp.TEXT_DOCUMENT_DID_OPEN, answers.changed, None),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, answers.changed, None),
        (lsp.TEXT_DOCUMENT_DID_SAVE, answers.changed, None),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, answers.closed, None),
        (lsp.TEXT_DOCUMENT_DIAGNOSTIC, answers.pulled, pull),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, answers.actions, lsp.CodeActionOptions(kinds)),
        (lsp.TEXT_DOCUMENT_HOVER, answers.hover, None),
        (lsp.TEXT_DOCUMENT_INLAY_HINT, answers.hints, None),
        (lsp.TEXT_DOCUMENT_CODE_LENS, answers.lenses, None),
    ):
        server.feature(method, options)(_bound(answer))
    server.command(SHOW)(_bound(answers.show))
    return server


def _bound(answer: Any) -> Any:
    """A function of its own for pygls, which writes attributes to what it is given."""

    def handler(*arguments: Any) -> Any:
        return answer(*arguments)

    return handler


class Answers:
    """What the server answers, for the texts that the editor has open."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._document: tuple[Any, Document] | None = None
        self._said = ""
        self._reads: dict[str, tuple[str, ...]] = {}
        """For each open text whose findings were sent, the files that they depend on."""

    def _of(self, uri: str) -> Document:
        """The document of a URI; the last one is kept, with its findings, until it changes."""
        text = self._text(uri)
        settings = self._settings(Path(to_fs_path(uri) or "."))
        key = uri, text, settings
        if self._document is None or self._document[0] != key:
            encoding = str(self._server.workspace.position_encoding.value)
            self._document = key, Document(uri, text, settings, encoding, self._read)
        return self._document[1]

    def _text(self, uri: str) -> str:
        """The text that the editor has open, or that of the file; "" where there is none any more:
        an editor may ask of what it has just closed.
        """
        opened = self._server.workspace.text_documents.get(uri)
        if opened is not None:
            return str(opened.source)
        try:
            return read_text(to_fs_path(uri) or "")
        except SourceError:
            return ""

    def _read(self, file: str) -> str:
        """The text of another file, as the editor has it."""
        opened = self._server.workspace.text_documents.get(Path(file).as_uri())
        return read_text(file) if opened is None else str(opened.source)

    def _settings(self, file: Path) -> Settings:
        """The settings for a file; where they are wrong that is said, once, and defaults hold."""
        try:
            return load(file.parent)
        except SettingsError as error:
            if str(error) != self._said:
                self._said = str(error)
                params = lsp.ShowMessageParams(lsp.MessageType.Error, f"staticpy: {error}")
                self._server.window_show_message(params)
            return Settings(root=file.parent)

    def _pulls(self) -> bool:
        """Whether the editor asks for the findings, and wants none that it has not asked for."""
        capabilities = self._server.client_capabilities.text_document
        return capabilities is not None and capabilities.diagnostic is not None

    def changed(self, params: Any) -> None:
        """Send the findings of a text that was opened, changed or saved, and those of the other
        open ones that import it.
        """
        uri = params.text_document.uri
        self._document = None  # it may be another one, which depends on this
        if self._pulls():
            return
        file = to_fs_path(uri)
        for each in [uri, *(other for other in self._reads if other != uri)]:
            if each == uri or file in self._reads[each]:
                document = self._of(each)
                self._publish(each, document.diagnostics())
                self._reads[each] = document.result.read

    def closed(self, params: Any) -> None:
        """Take back the findings of a text."""
        self._document = None
        self._reads.pop(params.text_document.uri, None)
        if not self._pulls():
            self._publish(params.text_document.uri, [])

    def _publish(self, uri: str, found: list[Any]) -> None:
        version = self._server.workspace.get_text_document(uri).version
        params = lsp.PublishDiagnosticsParams(uri, found, version)
        self._server.text_document_publish_diagnostics(params)

    def pulled(self, params: Any) -> Any:
        """The findings of a text, asked for."""
        found = self._of(params.text_document.uri).diagnostics()
        return lsp.RelatedFullDocumentDiagnosticReport(items=found)

    def actions(self, params: Any) -> Any:
        """The code actions of a range."""
        return self._of(params.text_document.uri).actions(params.range, params.context.only)

    def hover(self, params: Any) -> Any:
        """What is known of the variable at a position."""
        return self._of(params.text_document.uri).hover(params.position)

    def hints(self, params: Any) -> Any:
        """The types to show in a range."""
        return self._of(params.text_document.uri).hints(params.range)

    def lenses(self, params: Any) -> Any:
        """What can be seen of the functions of a text."""
        return self._of(params.text_document.uri).lenses()

    def show(self, *arguments: Any) -> str:
        """The text of a function at a stage, or why there is none.

        Raises:
            JsonRpcInvalidParams: ``arguments`` are not those of the command.
        """
        if tuple(map(type, arguments)) != (str, str, str, bool) or arguments[2] not in STAGES:
            raise JsonRpcInvalidParams(
                f"{SHOW} takes four arguments: the uri of a file, the name of a function in it, "
                f"a stage (one of {', '.join(STAGES)}), and whether its gradient is shown"
            )
        uri, name, stage, is_gradient = arguments
        return self._of(uri).show(name, stage, is_gradient=is_gradient)
