"""Where the modules of a project are: from a dotted name to a file, and back.

In: the folders that modules are imported from, and the name of a module. Out: its file, found as
Python's own import finds it, or the folders of a package without one. Modules of the standard
library are never looked for, and nothing outside of the folders is. What was looked for is noted:
it is what a verdict depends on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from staticpy.frontend.trusted import is_trusted

_PACKAGE = "__init__.py"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a module is: its file, None for a package without one, and the folders that hold the
    modules in it.
    """

    file: str | None
    folders: tuple[str, ...] = ()


class ModuleFiles:
    """The modules below the ``roots`` of a project."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = [absolute(root) for root in roots]
        self._known: dict[tuple[str, ...], Place | None] = {}
        self.read: set[str] = set()
        """The paths that were looked for."""

    def find(self, name: str, base: str) -> Place | None:
        """The module of a dotted name, as a file whose top packages are in ``base`` finds it."""
        parts = name.split(".")
        if parts[0] in sys.stdlib_module_names or is_trusted(parts[0]):
            return None
        place: Place | None = Place(None, tuple(dict.fromkeys([base, *self._roots])))
        for part in parts:
            place = self._inside(place.folders, part) if place else None
        return place

    def _inside(self, folders: tuple[str, ...], name: str) -> Place | None:
        key = (*folders, name)
        if key not in self._known:
            self._known[key] = self._search(folders, name)
        return self._known[key]

    def _search(self, folders: tuple[str, ...], name: str) -> Place | None:
        portions = []
        for folder in folders:
            inner = str(Path(folder, name))
            for file, below in ((str(Path(inner, _PACKAGE)), (inner,)), (f"{inner}.py", ())):
                self.read.add(file)
                if Path(file).is_file():
                    return Place(file, below)
            if Path(inner).is_dir():
                portions.append(inner)
        return Place(None, tuple(portions)) if portions else None

    def base_of(self, file: str) -> str:
        """The folder that the top package of a file is in."""
        folders = Path(file).parents
        found = (folder for folder in folders if not (folder / _PACKAGE).is_file())
        return str(next(found, folders[-1]))

    def name_of(self, file: str) -> str:
        """The dotted name of a file's module; that of a package ends in ``.__init__``."""
        base = self.base_of(file)
        # A package may be in another one that has no file of its own.
        outer = [root for root in self._roots if base.startswith(root.rstrip(os.sep) + os.sep)]
        path = Path(file).relative_to(max(outer, key=len, default=base))
        return ".".join(path.with_suffix("").parts)


def absolute(path: str) -> str:
    """A path from the root of the file system, links left as they are."""
    return os.path.normpath(Path(path).absolute())
