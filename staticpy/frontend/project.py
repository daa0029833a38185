"""The files of a project that a checked file imports, each read once, as text.

In: the file that is checked, and the folders that its project imports modules from. Out: a
StaticModule whose names are known through the imports of other files, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from staticpy.frontend.bindings import THIS_VERSION, Version
from staticpy.frontend.module_files import ModuleFiles, absolute
from staticpy.frontend.static_imports import ProjectModule
from staticpy.frontend.static_scope import StaticModule
from staticpy.source import SourceError, SourceFile, parse_text, read_text

Reader = Callable[[str], str]
"""The text of a file; raises a SourceError."""


class Project:
    """What one check reads of a project.

    Args:
        roots: the folders that modules are imported from, beside the one of the file itself.
        reader: gives the text of a file.
        version: the version of Python that it runs in.
        backend: what its functions are compiled for where they name none; None for none.
        is_graph_mode: whether the project runs in ``GRAPH_MODE``, also where a file doesn't say it.
    """

    def __init__(
        self,
        roots: Sequence[str],
        reader: Reader = read_text,
        *,
        version: Version = THIS_VERSION,
        backend: str | None = None,
        is_graph_mode: bool = False,
    ) -> None:
        self.version = version
        self.backend = backend
        self.is_graph_mode = is_graph_mode
        self.files = ModuleFiles(roots)
        self._reader = reader
        self._by_name: dict[tuple[str, str], ProjectModule | None] = {}
        self._by_file: dict[str, StaticModule | None] = {}
        self._by_source: dict[SourceFile, StaticModule] = {}
        self._is_relative = True

        self._checked: StaticModule | None = None

    @property
    def read(self) -> tuple[str, ...]:
        """The paths of the other files that were looked for."""
        own = {path for path, module in self._by_file.items() if module is self._checked}
        return tuple(sorted(self.files.read - own))

    def open(self, source: SourceFile) -> StaticModule:
        """The module of the file that is checked."""
        self._is_relative = not Path(source.file).is_absolute()
        self._checked = self._module(source, absolute(source.file))
        return self._checked

    def _module(self, source: SourceFile, path: str) -> StaticModule:
        module = StaticModule(source, _FilesOf(self, path))
        self._by_file[path] = self._by_source[source] = module
        return module

    def close(self) -> None:
        """Forget all modules, which refer to the project in turn."""
        if self._checked is not None:
            self._checked.close()
        self._checked = None
        for known in (self._by_name, self._by_file, self._by_source):
            known.clear()

    def owner(self, source: SourceFile) -> StaticModule | None:
        """The module of a file that was read."""
        return self._by_source.get(source)

    def find(self, name: str, base: str) -> ProjectModule | None:
        """The module of a dotted name, as a file whose top packages are in ``base`` finds it."""
        place = self.files.find(name, base)
        if place is None:
            return None
        key = name, base
        if key not in self._by_name:
            static = self._text_of(place.file) if place.file else None
            is_unknown = place.file is not None and static is None
            found = ProjectModule(name, static, lambda part: self.find(f"{name}.{part}", base))
            self._by_name[key] = None if is_unknown else found
        return self._by_name[key]

    def _text_of(self, path: str) -> StaticModule | None:
        """The module of a file; None where it can't be read, or is not Python."""
        if path not in self._by_file:
            try:
                source = _parsed(self._reader(path), self._shown(path))
            except SourceError:
                self._by_file[path] = None
            else:
                self._module(source, path)
        return self._by_file[path]

    def _shown(self, path: str) -> str:
        """How reports name a file: as the one that is checked, from the current folder or not."""
        here = Path.cwd()
        is_below = self._is_relative and Path(path).is_relative_to(here)
        return str(Path(path).relative_to(here)) if is_below else path


@lru_cache(maxsize=128)
def _parsed(text: str, file: str) -> SourceFile:
    return parse_text(text, file)


class _FilesOf:
    """The project as the imports of one file see it."""

    def __init__(self, project: Project, path: str) -> None:
        self._project = project
        self._base = project.files.base_of(path)
        self.version = project.version
        name = project.files.name_of(path)
        self.name = name.removesuffix(".__init__")
        self._package = name.rpartition(".")[0]

    def absolute(self, module: str) -> str | None:
        """The dotted name of what an import names; None where its dots lead out of the project."""
        rest = module.lstrip(".")
        level = len(module) - len(rest)
        if not level:
            return module
        packages = self._package.split(".") if self._package else []
        if level > len(packages):
            return None
        return ".".join([*packages[: len(packages) - level + 1], *([rest] if rest else [])])

    def find(self, name: str) -> ProjectModule | None:
        """The module of the project with an absolute name; None where there is none."""
        return self._project.find(name, self._base)

    def owner(self, source: SourceFile) -> StaticModule | None:
        """The module of a file that was read."""
        return self._project.owner(source)
