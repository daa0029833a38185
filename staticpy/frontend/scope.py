"""Where a name that is not local comes from, in a running program.

A Scope answers ``lookup(name)`` with the object and, where the object may change between calls, the
path by which a guard reaches it. RuntimeScope reads the closure, the globals and the builtins of a
live function; ``static_scope.StaticScope`` answers the same question from the text of a file alone.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import types
from importlib.util import resolve_name
from typing import Any, Protocol

from staticpy.frontend.inputs import Object, Path
from staticpy.frontend.trusted import is_harmless, require_module


class Scope(Protocol):
    """Resolves the names that a function does not bind itself."""

    def lookup(self, name: str) -> Any:
        """The object that ``name`` stands for, or UNKNOWN_VALUE.

        Raises:
            KeyError: nothing has this name.
        """

    def has(self, name: str) -> bool:
        """Whether something has this name: it need not be found out what."""

    def path(self, name: str) -> Path | None:
        """How a call reaches that object; None where it can't change."""

    def hidden_by(self, name: str) -> Path | None:
        """For a builtin, the global that would hide it if there were one; else None."""

    def absolute(self, name: str) -> Any:
        """The name of the module that an import names, which may begin with dots, or UNKNOWN_VALUE.

        Raises:
            ImportError: the dots lead out of every package.
            KeyError: the program does not say what package this is in.
        """

    def loaded(self, name: str) -> Any:
        """The module of this name, or UNKNOWN_VALUE.

        Raises:
            KeyError: it is not loaded.
            ModuleNotFoundError: there is none.
        """


class RuntimeScope:
    """The names around a live function, as they are now."""

    def __init__(self, function: types.FunctionType) -> None:
        self._globals = function.__globals__
        code = function.__code__
        self._cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))

    def lookup(self, name: str) -> Any:
        if name in self._cells:
            try:
                return self._cells[name].cell_contents
            except ValueError:  # the cell is still empty
                raise KeyError(name) from None
        if name in self._globals:
            return self._globals[name]
        return vars(builtins)[name]

    def has(self, name: str) -> bool:
        try:
            self.lookup(name)
        except KeyError:
            return False
        return True

    def path(self, name: str) -> Path | None:
        if name in self._cells:
            return Path(Object(self._cells[name], name)).attr("cell_contents")
        if name in self._globals:
            return Path(Object(self._globals)).item(name)
        return None

    def hidden_by(self, name: str) -> Path | None:
        if name in self._cells or name in self._globals:
            return None
        return Path(Object(self._globals)).item(name)

    def absolute(self, name: str) -> Any:
        package = self._globals.get("__package__")
        if not name.startswith("."):
            return name
        if not isinstance(package, str):
            raise KeyError(name)
        if not package:
            raise ImportError("attempted relative import with no known parent package")
        return resolve_name(name, package)

    def loaded(self, name: str) -> Any:
        if name not in sys.modules:
            if is_harmless(name):
                return importlib.import_module(name)
            require_module(name)
        return sys.modules[name]
