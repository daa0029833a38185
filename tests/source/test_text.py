"""Reading files: encodings, line ends, and what is not text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from staticpy.source import SourceError, read_text
from staticpy.source.text import MAX_BYTES, MAX_WORDS, decode

READABLE = [
    (b"x = 1\n", "x = 1\n"),
    (b"", ""),
    (b"x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
    (b"x = 1\ry = 2\r", "x = 1\ny = 2\n"),
    (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
    (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n"),
    ("s = 'é∂'\n".encode(), "s = 'é∂'\n"),
    (b"# coding: latin-1\ns = '\xe9'\n", "# coding: latin-1\ns = 'é'\n"),
    (b"#!/bin/python\n# -*- coding: cp1252 -*-\n# \x80\n", None),
    (b"# vim: set fileencoding=shift_jis :\ns = '\x83\x65'\n", None),
    (b"\x0c# coding: iso-8859-15\n# \xa4\n", "\x0c# coding: iso-8859-15\n# €\n"),
    (b"x = 1\n# coding: nonsense\n", "x = 1\n# coding: nonsense\n"),
    (b"\n\n# coding: nonsense\n", "\n\n# coding: nonsense\n"),
    (b"form\x0cfeed = 1\n", "form\x0cfeed = 1\n"),
]


@pytest.mark.parametrize(("data", "text"), READABLE)
def test_readable(data: bytes, text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    found = read_text(path)
    assert found.endswith("\n") or not data
    assert text is None or found == text


UNREADABLE = [
    (b"x = 1\ny = '\x00'\n", "NUL_BYTES", 2),
    ("x = 1\n".encode("utf-16"), "NUL_BYTES", 1),
    (b"x = 1\ny = '\xff'\n", "BAD_ENCODING", 2),
    (b"# coding: nonsense\n", "BAD_ENCODING", 1),
    (b"\n# coding: rot13\n", "BAD_ENCODING", 2),
    (b"# coding: utf-7\n", "BAD_ENCODING", 1),
    (b"# coding: unicode_escape\n", "BAD_ENCODING", 1),
    (b"# coding: cp99999\n", "BAD_ENCODING", 1),
    (b"# coding: os.path\n", "BAD_ENCODING", 1),
    (b"# coding: ascii\n# \xe9\n", "BAD_ENCODING", 2),
    (b"\xef\xbb\xbf# coding: latin-1\n", "BAD_ENCODING", 1),
]


@pytest.mark.parametrize(("data", "kind", "line"), UNREADABLE)
def test_unreadable(data: bytes, kind: str, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data, "a.py")
    assert caught.value.kind == kind
    assert caught.value.span is not None
    assert (caught.value.span.file, caught.value.span.line) == ("a.py", line)


def kind_of(path: str | Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_text(path)
    return caught.value.kind


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert kind_of(tmp_path / "missing.py") == "UNREADABLE_FILE"
    assert kind_of(tmp_path) == "UNREADABLE_FILE"
    assert kind_of("nul\0name.py") == "UNREADABLE_FILE"


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert kind_of(tmp_path / "pipe.py") == "UNREADABLE_FILE"


def test_a_device_is_not_read() -> None:
    assert kind_of("/dev/zero") == "UNREADABLE_FILE"


def test_large_files(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_bytes(b"#" + b"a" * (MAX_BYTES - 1))
    assert len(read_text(path)) == MAX_BYTES
    path.write_bytes(b"#" + b"a" * MAX_BYTES)
    assert kind_of(path) == "FILE_TOO_LARGE"


def test_too_many_words(tmp_path: Path) -> None:
    path = tmp_path / "table.py"
    path.write_text("x = [" + "1," * (MAX_WORDS // 2 - 2) + "]")
    assert read_text(path)
    path.write_text("x = [" + "1," * (MAX_WORDS // 2) + "]")
    assert kind_of(path) == "FILE_TOO_LARGE"
