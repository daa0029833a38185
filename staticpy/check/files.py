"""From paths to the files to check.

In: paths of files and folders, and the settings. Out: the files, each once, in a fixed order. A
file that is named is always checked (but see ``force_exclude``); of a folder, the Python files that
no pattern excludes and git does not ignore. Links to folders are not followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from staticpy.check.patterns import ignored, lines_of, matches
from staticpy.check.settings import Settings
from staticpy.source import SourceError, SourceSpan, read_bytes, read_text

STDIN = "-"

_SUFFIXES = (".py", ".pyw")
_NOTEBOOK = "it is a notebook; save its cells as a .py file ('jupyter nbconvert --to script')"


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check; ``is_named`` if the user wrote its path, not that of a folder. ``data`` is
    what it holds, where that is known already, as of standard input.
    """

    path: str
    is_named: bool
    data: bytes | None = None

    def read(self) -> bytes:
        """What the file holds.

        Raises:
            SourceError: UNREADABLE_FILE; also of a notebook, whose JSON often is an expression of
                Python: it would pass as a program in which there is nothing to check.
        """
        if self.path.endswith(".ipynb"):
            span = SourceSpan(self.path, 1, 0, 1, 0)
            raise SourceError("UNREADABLE_FILE", span, reason=_NOTEBOOK)
        return read_bytes(self.path) if self.data is None else self.data


def relative(path: str, root: Path) -> str:
    """A path as patterns and baselines have it: from ``root``, with slashes."""
    try:
        found = os.path.relpath(path, root)
    except ValueError:  # another drive
        found = path
    return found.replace(os.sep, "/")


def discover(paths: Sequence[str], settings: Settings) -> Iterator[Target]:
    """The files that ``paths`` stand for. What doesn't exist is a target too, to be reported."""
    seen: set[str] = set()
    for path in paths:
        if settings.force_exclude and is_excluded(path, settings):
            continue
        is_folder = path not in (STDIN, "") and Path(path).is_dir()  # Path("") is this folder
        for target in _walk(path, settings) if is_folder else [Target(path, True)]:
            key = os.path.normpath(target.path)
            if key not in seen:
                seen.add(key)
                yield target


def is_excluded(path: str, settings: Settings) -> bool:
    """Whether a pattern of the settings matches a path or a folder that it is in."""
    name = relative(path, settings.root)
    patterns = (*settings.exclude, *settings.extend_exclude)
    return any(matches(name, pattern) for pattern in patterns)


def _walk(folder: str, settings: Settings) -> Iterator[Target]:
    git = _GitIgnore(folder) if settings.respect_gitignore else None
    exclusion = _Exclusion(folder, settings)
    for here, folders, files in os.walk(folder):
        if git:
            git.enter(here)
        inside = exclusion.inside(here)
        folders[:] = sorted(
            name
            for name in folders
            if not exclusion(inside, name) and not (git and git.ignores(here, name, True))
        )
        for name in sorted(files):
            if name.endswith(_SUFFIXES) and not exclusion(inside, name):
                if git and git.ignores(here, name, False):
                    continue
                # "./a.py" for "." reads as noise in every line of a report.
                yield Target(str(Path(here, name)), False)


class _Exclusion:
    """Whether the settings exclude a name of a folder that they don't exclude itself."""

    def __init__(self, folder: str, settings: Settings) -> None:
        self._folder = folder
        self._start = relative(folder, settings.root)
        patterns = (*settings.exclude, *settings.extend_exclude)
        plain = [each for each in patterns if not any(mark in each for mark in "/*?[!\\")]
        self._names = frozenset(plain)
        self._patterns = [each for each in patterns if each not in self._names]

    def inside(self, here: str) -> str:
        """How the paths of a folder begin, as the patterns see them."""
        below = os.path.relpath(here, self._folder).replace(os.sep, "/")
        parts = [part for part in (self._start, below) if part != "."]
        return "".join(f"{part}/" for part in parts)

    def __call__(self, inside: str, name: str) -> bool:
        if name in self._names:
            return True
        return any(matches(inside + name, pattern) for pattern in self._patterns)


class _GitIgnore:
    """What the ``.gitignore`` files of a repository say, from its top down to the folder."""

    def __init__(self, folder: str) -> None:
        self._files: list[tuple[str, tuple[str, ...]]] = []
        """Folders, and the patterns that count in them, the outermost folder first."""
        start = Path(folder).absolute()
        top = next((each for each in (start, *start.parents) if (each / ".git").exists()), None)
        self._is_repository = top is not None
        if top is None:
            return
        self._read(str(top), top / ".git" / "info" / "exclude")
        between = [each for each in start.parents if each == top or top in each.parents]
        for each in reversed(between):
            self._read(str(each), each / ".gitignore")

    def enter(self, here: str) -> None:
        """Read the file of a folder that is walked through."""
        if not self._is_repository:
            return
        folder = str(Path(here).absolute())
        while self._files and not _is_below(folder, self._files[-1][0]):
            self._files.pop()
        self._read(folder, Path(folder, ".gitignore"))

    def _read(self, folder: str, file: Path) -> None:
        try:
            lines = lines_of(read_text(file))
        except SourceError:
            return
        if lines:
            self._files.append((folder, lines))

    def ignores(self, here: str, name: str, is_folder: bool) -> bool:
        """Whether git ignores a name in a folder: the innermost file with a line for it counts."""
        if not self._files:
            return False
        path = str(Path(here, name).absolute())
        for folder, lines in reversed(self._files):
            below = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            verdict = ignored(below, lines, is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False


def _is_below(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)
