"""Verdicts of earlier runs, kept in ``.staticpy_cache``.

In: the bytes of a file. Out: the verdict on them, or None. An entry is found by what it
was made from: the bytes, the file's name, the scope, the folders of imports, and the versions of
staticpy, NumPy, gast and Python; it counts as long as the other files that it depends on are what
they were. It is JSON behind a digest, written beside its place and then moved there: what is
damaged, or was written by halves, is not found. The other settings and comments are no part of it:
they are applied afterwards.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import astuple
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from staticpy.check.analysis import Analysis, Function
from staticpy.check.serial import as_plain, from_plain
from staticpy.diagnostics import catalog
from staticpy.source import (
    OWN_FILES,
    SourceError,
    digest,
    new_digest,
    read_bytes,
    read_stored,
    write_stored,
    write_whole,
)

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Caches of staticpy check: safe to remove.\n"
_LARGEST = 50_000_000
Options = tuple[str, ...]
"""The settings that a verdict depends on, as texts."""


class Cache:
    """The verdicts in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._has_folder = False

    def get(self, data: bytes, file: str, options: Options) -> Analysis | None:
        """The verdict on a file with these bytes; None where it is not known, or depends on another
        file that has changed.
        """
        content = read_stored(self._entry(data, file, options), _LARGEST)
        if content is None:
            return None
        try:
            value = json.loads(content)
            if any(_digest_of(path) != known for path, known in value["read"].items()):
                return None
            functions = [Function(*item) for item in value["functions"]]
            return Analysis(list(map(from_plain, value["found"])), functions, list(value["read"]))
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            return None  # of a version that made it otherwise

    def put(self, data: bytes, file: str, options: Options, analysis: Analysis) -> None:
        """Keep a verdict, if the folder can be written; one that is our own fault is not kept."""
        if any(item.spec is catalog.INTERNAL_ERROR for item in analysis.found):
            return
        value = {
            "found": list(map(as_plain, analysis.found)),
            "functions": list(map(astuple, analysis.functions)),
            "read": {path: _digest_of(path) for path in analysis.read},
        }
        content = json.dumps(value, separators=(",", ":")).encode()
        entry = self._entry(data, file, options)
        with contextlib.suppress(OSError):
            self._make(entry.parent)
            write_stored(entry, content)

    def _entry(self, data: bytes, file: str, options: Options) -> Path:
        key = new_digest(self._versions)
        for part in (*options, file, str(Path(file).absolute())):
            key.update(part.encode("utf-8", "surrogateescape") + b"\0")
        key.update(data)
        name = str(key.hexdigest())
        return self.folder / name[:2] / name[2:]

    def _make(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if self._has_folder:
            return
        self._has_folder = True
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            if not (self.folder / name).exists():
                write_whole(self.folder / name, text.encode())

    @cached_property
    def _versions(self) -> bytes:
        """What of the machine a verdict depends on: Python, and the files of the packages."""
        packages = [OWN_FILES, *(_folder_of(name) for name in ("gast", "numpy"))]
        stamps = [stamp for package in packages for stamp in _stamps(package, package == OWN_FILES)]
        return digest(repr((sys.version, stamps)).encode())


def _folder_of(package: str) -> str:
    spec = find_spec(package)
    return str(Path(spec.origin).parent) if spec and spec.origin else ""


def _stamps(folder: str, is_deep: bool) -> list[tuple[str, int, int]]:
    """Size and time of the Python files in a folder: they differ where a package does."""
    found, pending = [], [folder]
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith(".py"):
                state = entry.stat()
                found.append((entry.name, state.st_size, state.st_mtime_ns))
            elif is_deep and entry.name != "__pycache__" and entry.is_dir():
                pending.append(entry.path)
    return sorted(found)


def _digest_of(path: str) -> str:
    """What a file holds, in short; "" for one that can't be read."""
    try:
        return digest(read_bytes(path)).hex()
    except SourceError:
        return ""


def clean(folder: Path) -> int | None:
    """Remove the entries of a cache, and the folder if nothing else is in it: how many entries
    there were; None where ``folder`` is not a cache of staticpy.
    """
    tag = folder / "CACHEDIR.TAG"
    try:
        if "staticpy" not in tag.read_text(encoding="utf-8"):
            return None
    except (OSError, ValueError):
        return None
    count = 0
    for part in list(folder.iterdir()):
        if len(part.name) != 2 or part.is_symlink() or not part.is_dir():
            continue
        for entry in list(part.iterdir()):
            entry.unlink()
            count += 1
        part.rmdir()
    for name in ("CACHEDIR.TAG", ".gitignore"):
        (folder / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()
    return count
