"""What a run of ``check`` is told: the settings, with their defaults.

In: nothing. Out: ``Settings``, which ``config`` reads from a file and the command line changes.
What is wrong in them is a ``SettingsError``: they are the user's text, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from staticpy.diagnostics import Severity

SCOPES = ("decorated", "reachable", "all")
EXCLUDED = (
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
)
"""Folders that hold no source of the project."""


class SettingsError(Exception):
    """A setting that can't be meant: where it stands, and what is wrong with it."""

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(f"{place}: {text}" if place else text)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run.

    ``src`` are the folders that the project's modules are imported from, beside that of the file.
    Patterns and the names of files are relative to ``root``, the folder of the settings' ``file``,
    or the current one where there is no such file. Rules are named by code, prefix or name.
    """

    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    preview: bool = False
    severity: Mapping[str, Severity] = field(default_factory=dict)
    error_on_warning: bool = False
    scope: str = "decorated"
    target_version: tuple[int, int] | None = None
    backend: str | None = None
    graph_mode: bool = False
    src: tuple[str, ...] = (".", "src")
    exclude: tuple[str, ...] = EXCLUDED
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    output_format: tuple[str, ...] = ()
    baseline: str | None = None
    cache_dir: str = ".staticpy_cache"
    root: Path = Path()
    file: Path | None = None

    def path(self, name: str) -> Path:
        """A file that the settings name."""
        return self.root / name
