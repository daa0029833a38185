"""What the imports of a file bind, where they name other files of the project.

In: the bindings of a file, and a Finder, which finds modules by their names. Out: objects of
trusted modules, ProjectModules, and what the texts of these give a name. Nothing is imported: a
name is known where every import of the file, in every order of imports, binds the same.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

from staticpy.frontend.bindings import Binding, Bindings
from staticpy.frontend.inputs import UNKNOWN_VALUE
from staticpy.frontend.trusted import exported, imported, is_trusted

MODULE_NAMES = frozenset(
    f"__{name}__"
    for name in (
        "name", "file", "doc", "spec", "loader", "package", "path", "builtins", "dict",
        "annotations", "cached",
    )
)  # fmt: skip
"""The names that a module has without binding them."""


class Finder(Protocol):
    """Finds the modules that the imports of one file name."""

    name: str
    """The dotted name of the file's own module."""

    def absolute(self, module: str) -> str | None:
        """The dotted name of what an import names, which may begin with dots; None where these
        lead out of the project.
        """

    def find(self, name: str) -> ProjectModule | None:
        """The module of the project with an absolute name; None where there is none."""


class ModuleText(Protocol):
    """The names that the text of one module binds."""

    imports: FileImports

    def lookup(self, name: str) -> Any:
        """What a name of the module stands for, or UNKNOWN_VALUE."""

    def origin(self, path: str) -> str | None:
        """The dotted path of what an import binds to a name, with attributes of it."""


class ProjectModule(types.ModuleType):
    """A module of the project, known by its text; ``static`` is None for a package without one."""

    def __init__(
        self,
        name: str,
        static: ModuleText | None,
        submodule: Callable[[str], ProjectModule | None],
    ) -> None:
        super().__init__(name)
        self._static = static
        self._submodule = submodule
        self._sought: set[str] = set()

    def imported(self, name: str) -> Any:
        """What ``from module import name`` binds, or UNKNOWN_VALUE."""
        try:
            return self._find(name, is_loaded=True)
        except KeyError:  # the import fails, or somebody adds the name
            return UNKNOWN_VALUE

    def attribute(self, name: str, asking: FileImports | None) -> Any:
        """``module.name`` in another file, or UNKNOWN_VALUE.

        Raises:
            KeyError: the text gives the module no such name.
        """
        full_name = f"{self.__name__}.{name}"
        return self._find(name, is_loaded=asking is not None and asking.names_module(full_name))

    def _find(self, name: str, *, is_loaded: bool) -> Any:
        static, inner = self._static, self._submodule(name)
        is_loaded |= static is not None and static.imports.names_module(f"{self.__name__}.{name}")
        if static is not None and static.imports.binds(name) and name not in self._sought:
            if inner is not None and not is_loaded:
                return UNKNOWN_VALUE  # whoever imports the module of this name binds it anew
            return self._bound(static, name)
        if inner is not None:
            return inner if is_loaded else UNKNOWN_VALUE
        if static is None or static.imports.is_open or name in MODULE_NAMES:
            return UNKNOWN_VALUE
        raise KeyError(name)

    def _bound(self, static: ModuleText, name: str) -> Any:
        self._sought.add(name)  # ``from . import name`` in the package itself means the module
        try:
            return static.lookup(name)
        finally:
            self._sought.discard(name)

    def origin(self, path: str) -> str:
        """The dotted path that a name with attributes comes from, through the imports of files."""
        name, _, rest = path.partition(".")
        static = self._static
        if static is not None and static.imports.binds(name) and name not in self._sought:
            self._sought.add(name)
            try:
                found = static.origin(path)
            finally:
                self._sought.discard(name)
            return found or _joined(self.__name__, path)
        inner = self._submodule(name) if name else None
        return inner.origin(rest) if inner is not None else _joined(self.__name__, path)

    def exports(self) -> frozenset[str] | None:
        """The names that ``from module import *`` binds; None where that is not known."""
        return None if self._static is None else self._static.imports.exports()


class FileImports:
    """The imports of one file, and the names that it gives to other files."""

    def __init__(self, bindings: Bindings, finder: Finder | None, text: str) -> None:
        self._bindings = bindings
        self._finder = finder
        self._text = text
        self._is_exporting = False

    def value(self, binding: Binding) -> Any:
        """What an import binds, or UNKNOWN_VALUE."""
        if binding.origin is not None and is_trusted(binding.module):
            return imported(binding.origin)
        found = self._project_module(binding.module)
        if found is None:
            return UNKNOWN_VALUE
        return found.imported(binding.name) if binding.name else found

    def absolute(self, module: str) -> str | None:
        """The dotted name of what an import in this file names; None where its dots lead out of
        what is known.
        """
        if self._finder is None:
            return None if module.startswith(".") else module
        return self._finder.absolute(module)

    def _project_module(self, module: str) -> ProjectModule | None:
        """The module of the project that an import in this file names."""
        name = self.absolute(module)
        return self._finder.find(name) if self._finder and name else None

    def origin(self, binding: Binding, rest: str = "") -> str | None:
        """The dotted path that an import binds, with attributes of it."""
        if not binding.module:
            return None
        found = None if is_trusted(binding.module) else self._project_module(binding.module)
        if found is not None:
            return found.origin(_joined(binding.name, rest))
        return _joined(binding.origin, rest) if binding.origin else None

    def reaches(self, module: str) -> bool:
        """Whether an import of this file names a module, or the project has one of this name."""
        return module in self._bindings.modules or self._project_module(module) is not None

    def names_module(self, module: str) -> bool:
        """Whether imports of this file load a module of the project."""
        return any(name == module or name.startswith(f"{module}.") for name in self._loaded)

    @cached_property
    def _loaded(self) -> list[str]:
        """What the imports of this file name."""
        if self._finder is None:
            return []
        found = map(self._finder.absolute, sorted(self._bindings.modules))
        return [name for name in found if name]

    @cached_property
    def _starred(self) -> tuple[dict[str, Binding], bool]:
        """What ``from module import *`` binds, and whether it may bind more than is known."""
        found: dict[str, Binding] = {}
        is_open = False
        for star in self._bindings.stars:
            names = self._names_of(star) if star.is_certain else None
            is_open |= names is None
            for name in names or ():
                found[name] = Binding(star.node, True, star.module, name)
        return found, is_open

    def _names_of(self, star: Binding) -> frozenset[str] | None:
        if is_trusted(star.module):
            return exported(star.module)
        found = self._project_module(star.module)
        return found.exports() if found else None

    def star_with(self, name: str) -> Binding | None:
        """The ``from module import *`` that binds a name."""
        return self._starred[0].get(name) if self._bindings.stars else None

    @property
    def has_unknown_star(self) -> bool:
        """Whether a ``from module import *`` may bind any name."""
        return bool(self._bindings.stars) and self._starred[1]

    def hides(self, name: str, binding: Binding) -> bool:
        """Whether a later ``from module import *`` binds the name of a binding anew."""
        star = self.star_with(name)
        return star is not None and _line(star.node) > _line(binding.node)

    def binds(self, name: str) -> bool:
        """Whether the module itself binds a name."""
        return name in self._bindings.by_name or self.star_with(name) is not None

    @property
    def is_open(self) -> bool:
        """Whether the module may have attributes that its text does not name."""
        has_hook = "__getattr__" in self._bindings.by_name
        return self._bindings.is_open or self.has_unknown_star or has_hook

    def exports(self) -> frozenset[str] | None:
        """The names that ``from module import *`` takes of it; None where that is not known."""
        if "__all__" in self._bindings.by_name:
            return self._listed()
        if self._is_exporting:  # files that take all of each other
            return None
        self._is_exporting = True
        try:
            names = {*self._bindings.by_name, *(self._starred[0] if self._bindings.stars else ())}
            is_open = self.is_open
        finally:
            self._is_exporting = False
        own = self._finder.name if self._finder else ""
        loaded = (name.removeprefix(f"{own}.") for name in self._loaded if name.startswith(own))
        names.update(name.partition(".")[0] for name in loaded)
        return None if is_open else frozenset(name for name in names if not name.startswith("_"))

    def _listed(self) -> frozenset[str] | None:
        """The names in ``__all__``, where it is written once, as a list of them."""
        binding = self._bindings.only("__all__")
        if binding is None or not binding.is_certain or "__all__." in self._text:
            return None
        value = getattr(binding.node, "value", None)
        items = value.elts if isinstance(value, ast.List | ast.Tuple) else [None]
        names = [getattr(item, "value", None) for item in items]
        return frozenset(map(str, names)) if all(isinstance(each, str) for each in names) else None


def _joined(path: str | None, rest: str) -> str:
    return ".".join(part for part in (path, rest) if part)


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))
