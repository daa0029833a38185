"""What a compiled function needs from outside: its inputs, and the guards that keep it valid.

An object is reached by a Path: from an argument of the call, or from an object that lives as long
as the function does (its globals, a cell of its closure), through attributes and items. Capturing a
path decides its binding time: an array becomes an Input of the graph, read anew at each call; a
number, a string or a function becomes part of the compiled code, and a Guard says so.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import PYTHON_TYPES, ScalarType, TensorType, Type, is_supported_dtype


@dataclass(frozen=True, slots=True)
class Argument:
    """The argument of the call that is named ``name``."""

    name: str


class Object:
    """An object known while compiling, compared by identity. ``name`` is for messages."""

    __slots__ = ("name", "object")

    def __init__(self, object_: object, name: str = "") -> None:
        self.object = object_
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and other.object is self.object

    def __hash__(self) -> int:
        return id(self.object)

    def __repr__(self) -> str:
        return f"Object({type(self.object).__name__} at {id(self.object):#x})"


Step = tuple[str, Any]
"""``("attr", name)`` or ``("item", key)``."""


@dataclass(frozen=True, slots=True)
class Path:
    """How to reach an object: a root and the steps from it."""

    root: Argument | Object
    steps: tuple[Step, ...] = ()

    def attr(self, name: str) -> Path:
        return replace(self, steps=(*self.steps, ("attr", name)))

    def item(self, key: object) -> Path:
        return replace(self, steps=(*self.steps, ("item", key)))

    def __str__(self) -> str:
        """The path as a user would write it."""
        text = self.root.name
        for kind, key in self.steps:
            if not text:
                text = str(key)
            elif key != "cell_contents":
                text += f".{key}" if kind == "attr" else f"[{key!r}]"
        return text


@dataclass(frozen=True, slots=True)
class Guard:
    """What must hold of the object at ``path`` for the compiled code to be valid.

    ``kind`` is ``is`` (it is ``expected``), ``equals`` (same type, same value), ``type`` (its type
    is ``expected``), ``tuple`` or ``list`` (exactly that type, with ``expected`` items), ``dict``
    (exactly a dict, with the keys ``expected`` in this order), ``lacks`` (nothing is there).
    """

    path: Path
    kind: str
    expected: Any


@dataclass(frozen=True, slots=True)
class Input:
    """A run-time value that is read at each call: the argument of the graph with this type."""

    path: Path
    type: Type


@dataclass(frozen=True, slots=True)
class Captured:
    """Stands for an Input in a captured structure, until a function gives it a Value."""

    path: Path
    type: Type
    name: str


class Unknown:
    """What nothing is known of; an analysis that meets it stops without a verdict."""

    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN_VALUE: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Declared:
    """An argument of which only the type is known: a Type, or a tuple of such."""

    tree: Any


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the user's: a compile-time value whose attributes are captured."""

    path: Path
    object: Any


_BY_VALUE = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_BY_IDENTITY = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    types.MethodType,
    type,
    np.ufunc,
    np.dtype,
)


def is_function_like(value: object) -> bool:
    """Whether ``value`` is compiled into the graph as it is: a function, a module, a class."""
    return isinstance(value, _BY_IDENTITY) or hasattr(type(value), "__staticpy_function__")


class InputSet:
    """Collects the inputs and guards of one compilation."""

    def __init__(self) -> None:
        self.inputs: dict[Path, Captured] = {}
        self.guards: dict[tuple[Path, str], Guard] = {}
        self.hints: dict[str, int] = {}
        self._symbols = 0

    def guard(self, path: Path, kind: str, expected: Any) -> None:
        self.guards[path, kind] = Guard(path, kind, expected)

    def capture(self, path: Path, value: Any, *, scalars: bool = False) -> Any:
        """The compile-time form of the object at ``path``, with Captured in place of arrays.

        With ``scalars`` Python numbers are inputs too (arguments of the call); otherwise they are
        part of the compiled code (globals, attributes).

        Raises:
            DiagnosticError: an array of a class or dtype that the language doesn't have.
        """
        if path in self.inputs:
            return self.inputs[path]
        if type(value) in PYTHON_TYPES and scalars:
            return self._input(path, PYTHON_TYPES[type(value)])
        if isinstance(value, np.ndarray | np.generic):
            return self._input(path, self._array_type(path, value))
        if type(value) in (tuple, list, dict):
            return self._container(path, value, scalars)
        if type(value) in _BY_VALUE:
            self.guard(path, "equals", value)
            return value
        if is_function_like(value):
            self.guard(path, "is", value)
            return value
        return self._instance(path, value)

    def _instance(self, path: Path, value: Any) -> Instance:
        if isinstance(value, tuple | list | dict | str | int | float | complex):
            raise DiagnosticError(
                catalog.UNSUPPORTED_ARGUMENT_TYPE, name=str(path), type=type(value).__name__
            )
        self.guard(path, "type", type(value))
        return Instance(path, value)

    def _container(self, path: Path, value: Any, scalars: bool) -> Any:
        def each(key: object, item: object) -> Any:
            return self.capture(path.item(key), item, scalars=scalars)

        if type(value) is dict:
            self.guard(path, "dict", tuple(value))
            return {key: each(key, item) for key, item in value.items()}
        self.guard(path, type(value).__name__, len(value))
        return type(value)(each(i, item) for i, item in enumerate(value))

    def _input(self, path: Path, type_: Type) -> Captured:
        keys = [str(key) for _, key in path.steps if key != "cell_contents"]
        name = "_".join([path.root.name, *keys] if path.root.name else keys)
        self.inputs[path] = captured = Captured(path, type_, name)
        return captured

    def _array_type(self, path: Path, value: np.ndarray | np.generic) -> Type:
        dtype = value.dtype
        if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
            raise DiagnosticError(
                catalog.NDARRAY_SUBCLASS, name=str(path), type=type(value).__name__
            )
        if not is_supported_dtype(dtype):
            raise DiagnosticError(catalog.UNSUPPORTED_DTYPE, name=str(path), dtype=str(dtype))
        if isinstance(value, np.generic):
            return ScalarType(dtype)
        dims = tuple(self._symbol(size) for size in value.shape)
        return TensorType(dtype, dims)

    def _symbol(self, size: int) -> str:
        symbol = f"n{self._symbols}"
        self._symbols += 1
        self.hints[symbol] = size
        return symbol

    def declare(self, path: Path, tree: Any) -> Any:
        """The compile-time form of an argument of which only the type is known."""
        if isinstance(tree, tuple):
            return tuple(self.declare(path.item(i), item) for i, item in enumerate(tree))
        if isinstance(tree, Type):
            return self._input(path, tree)
        return UNKNOWN_VALUE


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """``tree`` with ``function`` applied to every leaf of its tuples, lists and dicts."""
    if type(tree) in (tuple, list):
        return type(tree)(map_tree(function, item) for item in tree)
    if type(tree) is dict:
        return {key: map_tree(function, item) for key, item in tree.items()}
    if isinstance(tree, slice):
        parts = (tree.start, tree.stop, tree.step)
        return slice(*(map_tree(function, part) for part in parts))
    return function(tree)


def tree_leaves(tree: Any) -> list[Any]:
    """Every leaf of ``tree``, in order."""
    found: list[Any] = []
    map_tree(found.append, tree)
    return found
