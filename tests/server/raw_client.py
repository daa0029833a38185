"""A client of the Language Server Protocol that reads every byte that the server writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class RawClient:
    """Talks to ``staticpy server``; what is not a message of the protocol is an error."""

    def __init__(self, folder: Path, **capabilities: Any) -> None:
        self.folder = folder
        self.notes: list[dict[str, Any]] = []
        self._number = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "staticpy", "server"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.capabilities = self.ask(
            "initialize", processId=None, rootUri=folder.as_uri(), capabilities=capabilities
        )["capabilities"]
        self.tell("initialized")

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def tell(self, method: str, **params: Any) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request."""
        answer = self.answer(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to a request, which may be an error."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method}
        self._write({**message, "params": params} if params else message)
        while True:
            answer = self._read()
            if answer.get("id") == self._number and "method" not in answer:
                return answer
            self.notes.append(answer)

    def wait_for(self, method: str) -> Any:
        """The parameters of the next notification."""
        while True:
            for note in self.notes:
                if note.get("method") == method:
                    self.notes.remove(note)
                    return note["params"]
            self.notes.append(self._read())

    def open(self, name: str, text: str) -> str:
        uri = self.uri(name)
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return uri

    def end(self) -> tuple[int, bytes]:
        """The exit code, and what was written on standard error."""
        self.ask("shutdown")
        self.tell("exit")
        rest, errors = self._process.communicate(timeout=20)
        assert rest == b""
        return self._process.returncode, errors

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline()) != b"\r\n":
            name, colon, value = line.partition(b": ")
            assert colon, f"not a header: {line!r}"
            assert name in (b"Content-Length", b"Content-Type"), f"a stray print: {line!r}"
            if name == b"Content-Length":
                length = int(value)
        message: dict[str, Any] = json.loads(stream.read(length))
        return message
