"""The server by a client of others: pytest-lsp's, which checks each answer by the standard."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.server.raw_client import ROOT
from tests.server.test_server import MODEL

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")
lsp = pytest.importorskip("lsprotocol.types")


async def converse(folder: Path) -> tuple[list[str], list[str], str]:
    """Open the model as an editor would: the findings' codes, the actions' titles, a hover."""
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "staticpy", "server")
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    capabilities.text_document.diagnostic = None
    params = lsp.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri())
    await client.initialize_session(params)
    uri = (folder / "model.py").as_uri()
    document = lsp.TextDocumentItem(uri, "python", 1, MODEL)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    identifier = lsp.TextDocumentIdentifier(uri)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(20, 0))
    context = lsp.CodeActionContext(diagnostics=[])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(identifier, whole, context)
    )
    hover = await client.text_document_hover_async(lsp.HoverParams(identifier, lsp.Position(6, 5)))
    found = [item.code for item in client.diagnostics[uri]]
    await client.shutdown_session()
    await client.stop()
    return found, [action.title for action in actions], hover.contents.value


def test_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)
    codes, titles, hover = asyncio.run(asyncio.wait_for(converse(tmp_path), 60))
    assert {"SPY104", "SPY910"} <= set(codes)
    assert "Make all fixes of staticpy" in titles
    assert "half: f32[n]" in hover
