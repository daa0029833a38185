"""From the paths of a command line to the files to check.

In: paths of files and folders. Out: the files, each once, in a fixed order. A file that is named is
always checked; of a folder, the Python files outside of the folders that hold no source.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

STDIN = "-"

_SUFFIXES = (".py", ".pyw")
_EXCLUDED = frozenset(
    [
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pants.d",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".staticpy_cache",
        ".svn",
        ".tox",
        ".venv",
        ".vscode",
        "__pycache__",
        "__pypackages__",
        "_build",
        "buck-out",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    ]
)


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check; ``is_named`` if the user wrote its path, not that of a folder."""

    path: str
    is_named: bool


def discover(paths: Sequence[str]) -> Iterator[Target]:
    """The files that ``paths`` stand for. What doesn't exist is a target too, to be reported."""
    seen: set[str] = set()
    for path in paths:
        for target in _walk(path) if Path(path).is_dir() else [Target(path, True)]:
            key = os.path.normpath(target.path)
            if key not in seen:
                seen.add(key)
                yield target


def _walk(folder: str) -> Iterator[Target]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _EXCLUDED)
        for name in sorted(files):
            if name.endswith(_SUFFIXES):
                # "./a.py" for "." reads as noise in every line of a report.
                yield Target(str(Path(here, name)), False)
