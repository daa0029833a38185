"""``staticpy server``, as an editor sees it: byte for byte, and by a client of another project."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.raw_client import RawClient
from tests.support.command import Check

pytest.importorskip("pygls")

MODEL = """\
import numpy as np
import staticpy


@staticpy.jit
def f(x: staticpy.f32["n"]):
    half = x * 0.5
    return half.sum()


@staticpy.jit
def g(x: float):
    name = "𝄞漢"; y = undefined
    class A: pass
    return x  # staticpy: ignore[SPY104]
"""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    """An editor that is sent the findings."""
    client = RawClient(tmp_path)
    yield client
    client.stop()


def test_the_findings_are_those_of_the_command(client: RawClient, check: Check) -> None:
    uri = client.open("model.py", MODEL)
    sent = client.wait_for("textDocument/publishDiagnostics")
    Path("model.py").write_text(MODEL, "utf-8")
    found = json.loads(check("--output-format", "json", "model.py")[1])
    assert sent["uri"] == uri
    assert [item["code"] for item in sent["diagnostics"]] == [item["code"] for item in found]
    for item, expected in zip(sent["diagnostics"], found, strict=True):
        assert item["message"].startswith(expected["message"])
        assert item["range"]["start"]["line"] + 1 == expected["location"]["row"]
        assert item["source"] == "staticpy"
        assert item["severity"] == {"error": 1, "warning": 2}[expected["severity"]]
    assert client.end() == (0, b"")


def test_columns_are_of_utf_16(client: RawClient) -> None:
    client.open("model.py", MODEL)
    found = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
    (item,) = [each for each in found if "undefined" in each["message"]]
    line = MODEL.split("\n")[item["range"]["start"]["line"]]
    before = line[: line.index("undefined")]
    assert item["range"]["start"]["character"] == len(before.encode("utf-16-le")) // 2
    assert item["range"]["start"]["character"] == len(before) + 1


APP = "import staticpy\nimport tools\n\n@staticpy.jit\ndef f(x: float):\n    return tools.g(x)\n"
TOOLS = "def g(x):\n    return open(x)\n"


def test_a_change_is_seen_by_the_files_that_import_it(client: RawClient) -> None:
    client.folder.joinpath("tools.py").write_text(TOOLS)
    app = client.open("app.py", APP)
    (item,) = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
    assert item["range"]["start"] == {"line": 5, "character": 11}
    tools = client.uri("tools.py")
    assert item["relatedInformation"][0]["location"]["uri"] == tools
    client.open("tools.py", "def g(x):\n    return x\n")
    sent = [client.wait_for("textDocument/publishDiagnostics") for _ in range(2)]
    assert {each["uri"]: each["diagnostics"] for each in sent} == {tools: [], app: []}
    change = {"text": TOOLS}
    document = {"uri": tools, "version": 2}
    client.tell("textDocument/didChange", textDocument=document, contentChanges=[change])
    sent = [client.wait_for("textDocument/publishDiagnostics") for _ in range(2)]
    assert {each["uri"]: len(each["diagnostics"]) for each in sent} == {tools: 0, app: 1}


def test_a_change_and_a_close(client: RawClient) -> None:
    uri = client.open("model.py", MODEL)
    assert client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
    client.tell(
        "textDocument/didChange",
        textDocument={"uri": uri, "version": 2},
        contentChanges=[{"text": "def f(:\n"}],
    )
    sent = client.wait_for("textDocument/publishDiagnostics")
    assert sent["version"] == 2
    assert [item["code"] for item in sent["diagnostics"]] == ["SPY001"]
    client.tell("textDocument/didClose", textDocument={"uri": uri})
    assert client.wait_for("textDocument/publishDiagnostics")["diagnostics"] == []


def test_an_editor_that_asks_is_sent_nothing(tmp_path: Path) -> None:
    client = RawClient(tmp_path, textDocument={"diagnostic": {"dynamicRegistration": False}})
    uri = client.open("model.py", MODEL)
    report = client.ask("textDocument/diagnostic", textDocument={"uri": uri})
    assert report["kind"] == "full"
    assert {"SPY104", "SPY910"} <= {item["code"] for item in report["items"]}
    assert not [note for note in client.notes if "publishDiagnostics" in note.get("method", "")]
    assert client.end() == (0, b"")


def actions(client: RawClient, uri: str, line: int, **context: Any) -> list[dict[str, Any]]:
    place = {"line": line, "character": 0}
    found: list[dict[str, Any]] = client.ask(
        "textDocument/codeAction",
        textDocument={"uri": uri},
        range={"start": place, "end": place},
        context={"diagnostics": [], **context},
    )
    return found


def applied(action: dict[str, Any], uri: str, text: str = MODEL) -> str:
    """The text after an action, as an editor that counts in UTF-16 makes it."""
    units, lines = text.encode("utf-16-le"), text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode("utf-16-le")))
    changes = []
    for edit in action["edit"]["changes"][uri]:
        first, last = edit["range"]["start"], edit["range"]["end"]
        places = (starts[each["line"]] + 2 * each["character"] for each in (first, last))
        changes.append((*places, edit["newText"].encode("utf-16-le")))
    for start, end, new in reversed(changes):
        units = units[:start] + new + units[end:]
    return units.decode("utf-16-le")


def test_code_actions(client: RawClient) -> None:
    uri = client.open("model.py", MODEL)
    line = MODEL.split("\n").index("    return x  # staticpy: ignore[SPY104]")
    (fix, *_) = actions(client, uri, line, only=["quickfix"])
    assert fix["isPreferred"]
    assert applied(fix, uri) == MODEL.replace("  # staticpy: ignore[SPY104]", "")
    (fix_all,) = actions(client, uri, 0, only=["source.fixAll"])
    assert "ignore[SPY104]" not in applied(fix_all, uri)
    hide = actions(client, uri, MODEL.split("\n").index("    class A: pass"))[0]
    assert hide["title"] == "Hide SPY104 by a comment"
    assert "    class A: pass  # staticpy: ignore[SPY104]\n" in applied(hide, uri)


def test_actions_change_no_more_than_they_have_to(client: RawClient) -> None:
    text, unused = MODEL.replace("\n", "\r\n"), "  # staticpy: ignore[SPY104]"
    uri = client.open("model.py", text)
    wide = '    name = "𝄞漢"; y = undefined'
    line = MODEL.split("\n").index(wide)
    hide = actions(client, uri, line, only=["quickfix"])[-1]
    (edit,) = hide["edit"]["changes"][uri]
    place = {"line": line, "character": len(wide) + 1}
    comment = "  # staticpy: ignore[SPY301]"
    assert edit == {"range": {"start": place, "end": place}, "newText": comment}
    assert applied(hide, uri, text) == text.replace(wide, wide + comment)
    (fix_all,) = actions(client, uri, 0, only=["source.fixAll"])
    assert applied(fix_all, uri, text) == text.replace(f"return x{unused}", "return x")
    assert [edit["newText"] for edit in fix_all["edit"]["changes"][uri]] == [""]


def test_a_fix_beside_wide_characters(client: RawClient) -> None:
    text = "import numpy as np\nimport staticpy\n\n@staticpy.jit\ndef f(x: float):\n"
    text += "    name = '𝄞漢'; return np.tanhh(x)\n"
    uri = client.open("model.py", text)
    (fix, *_) = actions(client, uri, 5)
    assert applied(fix, uri, text) == text.replace("tanhh", "tanh")
    (edit,) = fix["edit"]["changes"][uri]
    assert len(edit["newText"]) <= 1


def test_a_fix_that_helps_nothing_is_not_offered(client: RawClient) -> None:
    """The command refuses it, too."""
    head = "import numpy as np\nimport staticpy\n\n@staticpy.jit\ndef f(x: float):\n"
    uri = client.open("model.py", f"{head}    return np.tanhh(x, x, x)\n")
    (hide,) = actions(client, uri, 5)
    assert hide["title"].startswith("Hide")


def test_hover_hints_and_lenses(client: RawClient) -> None:
    uri = client.open("model.py", MODEL)
    document = {"uri": uri}
    for line, col, text in ((6, 5, "half: f32[n]"), (7, 12, "half: f32[n]"), (5, 6, "x: f32[n]")):
        hover = client.ask(
            "textDocument/hover",
            textDocument=document,
            position={"line": line, "character": col},
        )
        assert text in hover["contents"]["value"]
        assert hover["contents"]["value"].endswith("run-time")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    (hint,) = client.ask("textDocument/inlayHint", textDocument=document, range=whole)
    assert hint["position"] == {"line": 6, "character": len("    half")}
    assert hint["label"].startswith(": f32[")
    lenses = client.ask("textDocument/codeLens", textDocument=document)
    assert [lens["command"]["title"] for lens in lenses] == [
        "Show graph",
        "Show source",
        "Show gradient",
    ]
    shown = [client.ask("workspace/executeCommand", **_command(lens)) for lens in lenses]
    assert "func @f(%x: f32[n]" in shown[0]
    assert "def f(x" in shown[1]
    assert "SPY" in shown[2] or "gradient" in shown[2]


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given[:1],
        lambda given: [],
        lambda given: [*given, 1],
        lambda given: [given[0], 3, *given[2:]],
        lambda given: [*given[:2], "nonsense", False],
        lambda given: [*given[:3], "no"],
    ],
)
def test_a_command_with_other_arguments(
    client: RawClient, change: Callable[[list[Any]], list[Any]]
) -> None:
    document = {"uri": client.open("model.py", MODEL)}
    lens = client.ask("textDocument/codeLens", textDocument=document)[0]
    arguments = change(lens["command"]["arguments"])
    asked = {"command": "staticpy.show", "arguments": arguments}
    error = client.answer("workspace/executeCommand", **asked)["error"]
    assert error["code"] == -32602
    assert error["message"].startswith("staticpy.show takes four arguments: the uri of a file")
    assert client.ask("workspace/executeCommand", **_command(lens))


def _command(lens: dict[str, Any]) -> dict[str, Any]:
    return {key: lens["command"][key] for key in ("command", "arguments")}


def test_settings_and_what_is_wrong_in_them(client: RawClient, tmp_path: Path) -> None:
    (tmp_path / "staticpy.toml").write_text("[check]\nignore = ['SPY104', 'SPY3']\n")
    client.open("model.py", MODEL)
    assert client.wait_for("textDocument/publishDiagnostics")["diagnostics"] == []
    (tmp_path / "staticpy.toml").write_text("[check]\nselct = 1\n")
    client.open("other.py", MODEL)
    assert "did you mean 'select'?" in client.wait_for("window/showMessage")["message"]
    assert client.wait_for("textDocument/publishDiagnostics")["diagnostics"]


def test_what_is_open_is_never_run(client: RawClient, tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    (tmp_path / "json.py").write_text(trap)
    client.open("model.py", trap + MODEL)
    client.wait_for("textDocument/publishDiagnostics")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("is_pipe", [False, True])
def test_asked_of_a_file_that_is_gone(client: RawClient, tmp_path: Path, is_pipe: bool) -> None:
    if is_pipe:
        os.mkfifo(tmp_path / "gone.py")
    document = {"uri": client.uri("gone.py")}
    report = client.ask("textDocument/diagnostic", textDocument=document)
    assert report["items"] == []
    position = {"line": 7, "character": 2}
    assert client.ask("textDocument/hover", textDocument=document, position=position) is None
    assert client.ask("textDocument/codeLens", textDocument=document) == []
    assert client.end() == (0, b"")
