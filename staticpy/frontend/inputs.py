"""What a compiled function needs from outside: its inputs, and the guards that keep it valid.

An object is reached by a Path: from an argument of the call, or from an object that lives as long
as the function does (its globals, a cell of its closure), through attributes and items. Capturing a
path decides its binding time: an array becomes an Input of the graph, read anew at each call; a
number, a string or a function becomes part of the compiled code, and a Guard says so. A list is
taken apart, item by item; a long one of numbers or strings is an Input, too, whatever its length.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any, Final

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    PYTHON_TYPES,
    STR,
    BlockArgument,
    Dim,
    ListType,
    OpResult,
    ScalarType,
    TensorType,
    Type,
    is_supported_dtype,
    union_of,
)

_PACKAGE: Final = __name__.partition(".")[0]
_COMPILER: Final = tuple(
    f"{_PACKAGE}.{part}." for part in ("autodiff", "frontend", "ops", "runtime")
)
"""The modules that no program changes; ``nn``, ``optim`` and ``xp`` are read as a program is."""


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


def _is_of_compiler(root: Argument | Object) -> bool:
    """Whether a path begins at a function or class of the compiler, or at the globals of one."""
    held = None if isinstance(root, Argument) else root.object
    name = held.get("__name__") if isinstance(held, dict) else None
    if isinstance(held, type | FunctionType):
        name = held.__module__
    return isinstance(name, str) and name.startswith(_COMPILER)


Step = tuple[str, Any]
"""``("attr", name)`` or ``("item", key)``."""


@dataclass(frozen=True, slots=True)
class Path:
    """How to reach an object: a root and the steps from it.

    A step ``attr`` from an instance of a user's class leads to what the instance itself holds, in
    its ``__dict__`` or a slot; no property and no ``__getattr__`` is run. From anything else (a
    module, a class, a function, a cell) it is the attribute as Python reads it.
    """

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

    ``kind`` says what that is:

    ``is``        it is ``expected``
    ``equals``    it has the type and the value of ``expected``
    ``type``      its type is ``expected``
    ``tuple``     it is a tuple, no subclass, of ``expected`` items
    ``list``      it is a list, no subclass, of ``expected`` items
    ``dict``      it is a dict, no subclass, with the keys ``expected`` in this order
    ``set``       it is a set, no subclass, of the items of the frozenset ``expected``
    ``size``      ``len`` of it is ``expected``
    ``lacks``     nothing is there: the instance itself has no such attribute, the dict no such item
    ``same``      it is the object at the Path ``expected``
    ``distinct``  it is none of the objects at the Paths ``expected``
    ``sizes``     the SizeRelation ``expected`` holds, of this array and others
    """

    path: Path
    kind: str
    expected: Any


SizeAt = Dim | tuple[Path, int]


@dataclass(frozen=True, slots=True)
class SizeRelation:
    """A size is what the expression ``text`` of the sizes ``operands`` gives. Each is a number, or
    that of an axis of the array at a Path.
    """

    size: SizeAt
    text: str
    operands: tuple[tuple[str, SizeAt], ...]


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


@dataclass(frozen=True, slots=True)
class BindingTimes:
    """What is known when, beyond the rules: the arguments at the paths in ``static`` are
    compile-time values whatever they hold, and numbers of attributes and globals at the paths in
    ``run_time`` are read at each call.
    """

    static: frozenset[Path] = frozenset()
    run_time: frozenset[Path] = frozenset()


class Unknown:
    """What nothing is known of; an analysis that meets it stops without a verdict."""

    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN_VALUE: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Declared:
    """An argument of which only the type is known: a Type, or a tuple or dict of such."""

    tree: Any


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the user's: a compile-time value whose attributes are captured."""

    path: Path
    object: Any


_BY_VALUE = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, frozenset)
_SLICE_PARTS = (type(None), bool, int, np.integer)
_ITEM_TYPES: dict[type, Type] = {**PYTHON_TYPES, str: STR}
_LONG_ARGUMENT, _LONG_CONSTANT = 16, 64
"""A list of more numbers is read at each call: as an argument, and as a global or attribute."""
_LONGEST_STRUCTURE = 1000
"""A longer list is never taken apart."""
_IMMUTABLE_CLASS = 1 << 8
"""The flag of classes whose attributes can't be set, as those of Python itself."""


class InputSet:
    """Collects the inputs and guards of one compilation."""

    def __init__(self) -> None:
        self.inputs: dict[Path, Captured] = {}
        self.guards: dict[tuple[Path, str], Guard] = {}
        self.hints: dict[str, int] = {}
        self.static: frozenset[Path] = frozenset()
        """Where arguments are compile-time values, whatever they hold."""
        self.run_time: set[Path] = set()
        """Where the program writes numbers, which are therefore read at each call."""
        self.written: dict[Path, None] = {}
        """Where the program writes to an object from outside."""
        self.tensors: dict[Path, Path] = {}
        """Where Tensors are, by the path of what they hold."""
        self.expects_tensors = False
        self.places: dict[int, Path] = {}
        """Where a Tensor was met first, by its id."""
        self.takes_lists_apart = False
        """Whether all lists are taken apart, because the program does not compile otherwise."""
        self._tuples: dict[int, tuple[Path, tuple[Any, ...]]] = {}
        self._symbols = 0
        self._axes: dict[Dim, tuple[Path, int]] = {}
        """Where each symbol is the size, and of which axis."""

    def relate(self, actual: Dim, text: str, operands: Mapping[str, Dim]) -> None:
        """Guard that a size is what an expression of others gives. Each is a number, or the size of
        an input.
        """
        known = {name: self._axes.get(dim, dim) for name, dim in operands.items()}
        size = self._axes.get(actual, actual)
        paths = [each[0] for each in (size, *known.values()) if isinstance(each, tuple)]
        if paths:
            relation = SizeRelation(size, text, tuple(known.items()))
            kind = f"sizes {size} {text}"  # there may be several of one array
            self.guards[paths[0], kind] = Guard(paths[0], "sizes", relation)

    def guard(self, path: Path, kind: str, expected: Any) -> None:
        """Demand something of the object at ``path``.

        What the guard compares with is a copy, so that no later write to it is missed. A class that
        the code depends on must keep its bases, and not get or lose attributes: one that was found
        in a base, or nowhere, might be hidden then. What the compiler consists of stays as it is.
        """
        if _is_of_compiler(path.root):
            return
        if kind == "equals":
            expected = snapshot(expected)
        self.guards[path, kind] = Guard(path, kind, expected)
        if kind in ("is", "type") and isinstance(expected, type):
            self._guard_attributes(expected)

    def _guard_attributes(self, class_: type) -> None:
        if _is_of_compiler(Object(class_)):
            return
        if not class_.__flags__ & _IMMUTABLE_CLASS:
            bases = Path(Object(class_, class_.__name__)).attr("__mro__")
            self.guards[bases, "is"] = Guard(bases, "is", class_.__mro__)
        for base in class_.__mro__:
            if not base.__flags__ & _IMMUTABLE_CLASS:
                path = Path(Object(base, base.__name__)).attr("__dict__")
                self.guards.setdefault((path, "size"), Guard(path, "size", len(vars(base))))

    def remember(self, path: Path, made: tuple[Any, ...]) -> None:
        """Note that ``made`` stands for the tuple at ``path``, which is returned as itself."""
        self._tuples[id(made)] = path, made

    def place_of(self, value: tuple[Any, ...]) -> Path | None:
        """Where the tuple from outside is that ``value`` stands for, if it is one."""
        known = self._tuples.get(id(value))
        return None if known is None else known[0]

    def keep_apart(self, objects: Iterable[tuple[Path, Any]]) -> None:
        """Guard that the objects, which the program may write to or compare by ``is``, are as many
        at each call as they are now. Their types are guarded already.
        """
        kinds: dict[type, dict[int, Path]] = {}
        for path, value in objects:
            kinds.setdefault(type(value), {}).setdefault(id(value), path)
        for kind in kinds.values():
            paths = list(kind.values())
            for number, path in enumerate(paths[1:], start=1):
                self.guard(path, "distinct", tuple(paths[:number]))

    def has_run_time_scalars(self, path: Path) -> bool:
        """Whether numbers found at ``path`` are read at each call.

        They are in the arguments of the call; in attributes and globals they are part of the
        compiled code, unless the program writes there.
        """
        is_plain = all(kind == "item" for kind, _ in path.steps)
        return (isinstance(path.root, Argument) and is_plain) or path in self.run_time

    def capture(self, path: Path, value: Any, *, scalars: bool = False) -> Any:
        """The compile-time form of the object at ``path``: Captured for what is read at each call.

        With ``scalars`` Python numbers are read at each call, too (arguments of the call);
        otherwise they are part of the compiled code (globals, attributes).

        Raises:
            DiagnosticError: an array of a class or dtype that the language doesn't have.
        """
        if path in self.inputs:
            return self.inputs[path]
        if type(value) in PYTHON_TYPES and (scalars or path in self.run_time):
            return self._input(path, PYTHON_TYPES[type(value)])
        if isinstance(value, np.ndarray | np.generic):
            return self._input(path, self._array_type(path, value))
        if type(value) in _BY_VALUE or _is_plain_slice(value):
            self.guard(path, "equals", value)
        else:
            self.guard(path, "is", value)
        return value

    def guard_class(self, path: Path, class_: type) -> None:
        """Demand the class of an object of this package's, whose attributes stay as they are."""
        self.guards[path, "type"] = Guard(path, "type", class_)

    def capture_tensor(self, path: Path, array: Path, class_: type) -> None:
        """Note that the object at ``path`` is a Tensor, and ``array`` what it holds."""
        self.guard_class(path, class_)
        self.tensors[array] = path

    def capture_list(self, path: Path, items: list[Any]) -> None:
        """Make a long list of numbers or strings an Input as it is."""
        longest = _LONG_ARGUMENT if self.has_run_time_scalars(path) else _LONG_CONSTANT
        kinds = set(map(type, items)) if len(items) > longest else set()
        if self.takes_lists_apart or len(kinds) > 1:
            longest = _LONGEST_STRUCTURE
        types = [_item_type(kind) for kind in kinds]
        if len(items) > longest and None not in types and path not in self.inputs:
            self._input(path, ListType(union_of(type_ for type_ in types if type_)))

    @property
    def could_take_lists_apart(self) -> bool:
        """Whether there is a list that could be taken apart, and is not."""
        kinds = [type(captured.type) for captured in self.inputs.values()]
        return not self.takes_lists_apart and ListType in kinds

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
        self._axes.update({dim: (path, axis) for axis, dim in enumerate(dims)})
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
        if isinstance(tree, dict):
            return {key: self.declare(path.item(key), item) for key, item in tree.items()}
        if isinstance(tree, Type):
            return self._input(path, tree)
        return UNKNOWN_VALUE


def _item_type(class_: type) -> Type | None:
    if issubclass(class_, np.generic):
        dtype = np.dtype(class_)
        return ScalarType(dtype) if is_supported_dtype(dtype) and dtype.type is class_ else None
    return _ITEM_TYPES.get(class_)


def _is_plain_slice(value: Any) -> bool:
    if type(value) is not slice:
        return False
    return all(isinstance(each, _SLICE_PARTS) for each in (value.start, value.stop, value.step))


def snapshot(value: Any) -> Any:
    """A copy of the lists, dicts, sets and arrays in a compile-time value; the rest as it is."""
    if type(value) in (tuple, list):
        return type(value)(map(snapshot, value))
    if type(value) is dict:
        return {key: snapshot(item) for key, item in value.items()}
    if type(value) is set or isinstance(value, np.ndarray):
        return value.copy()
    return value


def is_named_tuple(value: Any) -> bool:
    """Whether ``value`` is an instance of a class made by ``namedtuple`` or ``NamedTuple``."""
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def is_plain_fields(class_: Any) -> bool:
    """Whether instances of a named tuple's class are its arguments, and no more: nobody else makes
    them, or says how to go through them.
    """
    maker = next(base for base in class_.__mro__ if "__new__" in vars(base))
    is_generated = "_fields" in vars(maker) and class_.__init__ is object.__init__
    return is_generated and class_.__iter__ is tuple.__iter__


def is_of_python(value: Any) -> bool:
    """Whether ``sys`` describes Python in this tuple: nobody else makes another of its class."""
    return any(value is each for each in (sys.version_info, sys.float_info, sys.int_info))


def make_tuple(model: tuple[Any, ...], items: list[Any]) -> tuple[Any, ...]:
    """A tuple of the class of ``model`` with other items."""
    return model if is_of_python(model) else tuple.__new__(type(model), items)


class Structure:
    """A compile-time object that holds others, which ``map_tree`` goes through."""

    __slots__ = ()

    def parts(self) -> tuple[Any, ...] | None:
        """What it holds, as its class takes them; None if it stands for itself."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several objects that are known while compiling, by an index at run time."""

    options: tuple[Any, ...]
    index: Any


@dataclass(slots=True)
class RunTimeTuple:
    """A tuple whose length is known at run time: a list in memory that nothing else leads to.

    What the language does with one is iteration, ``len``, items and slices, ``+``, ``==``, and to
    return or show it; anything else refuses it, as it refuses every object that it does not know.
    """

    items: Any


_LEAVES = frozenset([OpResult, BlockArgument, *PYTHON_TYPES, str, type(None)])
"""The classes of nearly all leaves."""


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """``tree`` with ``function`` applied to every leaf of its tuples, lists and dicts."""
    if tree.__class__ in _LEAVES:
        return function(tree)
    if isinstance(tree, tuple):
        return make_tuple(tree, [map_tree(function, item) for item in tree])
    if type(tree) is list:
        return [map_tree(function, item) for item in tree]
    if type(tree) is dict:
        return {key: map_tree(function, item) for key, item in tree.items()}
    if isinstance(tree, slice):
        parts = (tree.start, tree.stop, tree.step)
        return slice(*(map_tree(function, part) for part in parts))
    if isinstance(tree, Variant):
        options = tuple(map_tree(function, option) for option in tree.options)
        return Variant(options, map_tree(function, tree.index))
    if isinstance(tree, RunTimeTuple):
        return RunTimeTuple(map_tree(function, tree.items))
    held = tree.parts() if isinstance(tree, Structure) else None
    if held is not None:
        return type(tree)(*(map_tree(function, part) for part in held))
    return function(tree)


def tree_leaves(tree: Any) -> list[Any]:
    """Every leaf of ``tree``, in order."""
    found: list[Any] = []
    map_tree(found.append, tree)
    return found
