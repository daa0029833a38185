"""Verdicts of earlier runs, kept in ``.staticpy_cache``.

In: the bytes of a file. Out: the verdict on them, or None. An entry is found by what it
was made from: the bytes, the file's name, the scope, the folders of imports, and the versions of
staticpy, NumPy, gast and Python; it counts as long as the other files that it depends on are what
they were. It is JSON behind a digest, written beside its place and then moved there: what is
damaged, or was written by halves, is not found. The other settings and comments are no part of it:
they are applied afterwards. Notes, which most runs only count, are a line of their own.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from staticpy.check.analysis import Analysis, Function, in_order
from staticpy.check.serial import as_plain, from_plain
from staticpy.diagnostics import Diagnostic, Severity, catalog
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
        self._name = str(folder)
        self._has_folder = False
        self._digests: dict[tuple[str, int, int, int, int], str] = {}

    def get(
        self, data: bytes, file: str, options: Options, *, counts_notes: bool = False
    ) -> Analysis | None:
        """The verdict on a file with these bytes; None where it is not known, or depends on another
        file that has changed. ``counts_notes``: of notes, only how many there are is asked for.
        """
        content = read_stored(self._entry(data, file, options), _LARGEST)
        if content is None:
            return None
        try:
            head, _, notes = content.partition(b"\n")
            value = json.loads(head)
            if any(self._digest_of(path) != known for path, known in value["read"].items()):
                return None
            found = list(map(from_plain, value["found"]))
            if not counts_notes:
                found = in_order([*found, *map(from_plain, json.loads(notes))])
            functions = list(map(Function._make, value["functions"]))
            unread = value["notes"] if counts_notes else {}
            return Analysis(found, functions, list(value["read"]), unread)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            return None  # of a version that made it otherwise

    def put(self, data: bytes, file: str, options: Options, analysis: Analysis) -> None:
        """Keep a verdict, if the folder can be written; one that is our own fault is not kept."""
        if any(item.spec is catalog.INTERNAL_ERROR for item in analysis.found):
            return
        found, notes = _divided(analysis.found, file)
        value = {
            "found": list(map(as_plain, found)),
            "notes": Counter(item.code for item in notes),
            "functions": analysis.functions,
            "read": {path: self._digest_of(path) for path in analysis.read},
        }
        parts = (value, list(map(as_plain, notes)))
        lines = (json.dumps(part, separators=(",", ":")) for part in parts)
        entry = Path(self._entry(data, file, options))
        with contextlib.suppress(OSError):
            self._make(entry.parent)
            write_stored(entry, "\n".join(lines).encode())

    def _entry(self, data: bytes, file: str, options: Options) -> str:
        names = (*options, file, str(Path.cwd()))
        key = new_digest(self._versions)
        key.update("\0".join([*names, ""]).encode("utf-8", "surrogateescape"))
        key.update(data)
        name = str(key.hexdigest())
        return f"{self._name}{os.sep}{name[:2]}{os.sep}{name[2:]}"

    def _digest_of(self, path: str) -> str:
        """What a file holds, in short; "" for one that can't be read. Many files of a project
        depend on one: it is read again only where it is another.
        """
        try:
            state = Path(path).stat()
        except (OSError, ValueError):
            return ""
        key = path, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns
        if key not in self._digests:
            try:
                self._digests[key] = digest(read_bytes(path)).hex()
            except SourceError:
                return ""
        return self._digests[key]

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


def _divided(
    found: Sequence[Diagnostic], file: str
) -> tuple[Sequence[Diagnostic], Sequence[Diagnostic]]:
    """The findings without the notes on the file, and these; no notes where there are some on other
    files, too: shown where those are called, they may say the same.
    """
    notes = [item for item in found if item.spec.severity is Severity.INFO]
    if any(item.span.file != file for item in notes):
        return found, ()
    return [item for item in found if item.spec.severity is not Severity.INFO], notes


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
