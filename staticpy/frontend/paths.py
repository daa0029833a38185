"""The parts of a merge: the paths that meet, and the places of what each of them yields."""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_of_object
from staticpy.frontend.inputs import RunTimeTuple, Variant, map_tree
from staticpy.frontend.memory import Memory
from staticpy.frontend.python_classes import class_of_value
from staticpy.frontend.state import ABSENT, Cell
from staticpy.frontend.values import (
    Closure,
    Conflict,
    DictRef,
    Generator,
    IteratorRef,
    ListRef,
    Partial,
    Ref,
    UserFunction,
    is_liftable,
    leaf_type,
)
from staticpy.ir import (
    ObjectType,
    Region,
    Type,
)

FLAGS = ("%break", "%continue", "%return")
"""The variables that say how a path has left: a bool, or a Value where that depends."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a merged leaf: the number of the result that takes it, and its type."""

    index: int
    type: Type


@dataclass(eq=False, slots=True)
class Side:
    """One of the paths: its region, and the cells that it wrote."""

    region: Region
    ends: dict[Cell, Any]
    is_dead: bool = False
    """Whether it ends in an exception."""

    def value(self, cell: Cell) -> Any:
        """The value of a cell where this path ends."""
        if cell in self.ends:
            return self.ends[cell]
        cells, key = cell
        return cells.get(key, ABSENT)


def describe(value: Any) -> str:
    """What a binding is, in words: its type for a run-time value, a name or a class for others."""
    if isinstance(value, Variant):
        return " or ".join(dict.fromkeys(map(describe, value.options)))
    known = leaf_type(value) if is_liftable(value) else getattr(value, "type", None)  # of a place
    if isinstance(known, Type) and not isinstance(known, ObjectType):
        return str(known)
    if value is None:
        return "None"
    if type(value) is tuple:
        return f"({', '.join(map(describe, value))})"
    return _named(value) or _of_class(class_of_object(known) or class_of_value(value))


def describe_result(leaf: Any) -> str:
    """A leaf of what a function returns, in words; a list that is one is not known item by item."""
    shown = describe(leaf)
    if isinstance(leaf, ListRef | RunTimeTuple):
        return f"{shown} whose length is known only when the program runs"
    if isinstance(leaf, DictRef):
        return f"{shown} whose keys are known only when the program runs"
    return shown


def _named(value: Any) -> str:
    """What has a name of its own, in words; empty for anything else."""
    if isinstance(value, Closure):
        return f"the function {getattr(value.node, 'name', 'lambda')}"
    if isinstance(value, UserFunction):
        return f"the function {value.unit.name}"
    if isinstance(value, types.ModuleType | type):
        return f"the {'class' if isinstance(value, type) else 'module'} {value.__name__}"
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    return f"the str {value!r}" if isinstance(value, str) else ""


def _of_class(class_: type | None) -> str:
    name = "object" if class_ is None else class_.__name__
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


def undecided_iterator(*sides: Any) -> Conflict | None:
    """What stands for an iterator of which the path says which one it is; None for other things."""
    for side in sides:
        if isinstance(side, Generator | IteratorRef):
            return Conflict(catalog.ITERATOR_UNDECIDED, (), (("name", "this value"),))
    return None


class SharedObject(Exception):
    """Raised where merging has to begin anew, because an object can't become one with another."""

    def __init__(self, ref: Ref) -> None:
        super().__init__(ref)
        self.ref = ref


@dataclass(frozen=True, slots=True)
class ObjectPlace:
    """To be yielded: the object that a Ref is."""

    ref: Ref


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """To be yielded: which of some options a value is."""

    value: Any
    options: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ListPlace:
    """To be yielded: a Ref as a run-time list of this type."""

    ref: Ref
    type: Type


class seen_from:  # noqa: N801 - used as a function
    """The state as it is at the end of a path, for the time of a ``with``."""

    def __init__(self, memory: Memory, side: Side) -> None:
        self._memory, self._side = memory, side

    def __enter__(self) -> None:
        self._scope = self._memory.journal.scope()
        self._scope.__enter__()
        for (cells, key), value in self._side.ends.items():
            cells.put(key, value)

    def __exit__(self, *error: Any) -> None:  # noqa: PYI036
        self._scope.__exit__(*error)


def fill(tree: Any, results: Any) -> Any:
    """``tree`` with the result of its number for each Slot."""
    if isinstance(tree, dict):
        return {key: fill(item, results) for key, item in tree.items()}

    def leaf(item: Any) -> Any:
        if isinstance(item, Partial):
            filled = with_arguments(item, leaf)
            return item if filled == item else filled
        return results[item.index] if isinstance(item, Slot) else item

    return map_tree(leaf, tree)


def with_arguments(partial: Partial, change: Callable[[Any], Any]) -> Partial:
    """A function that is given others in the place of its arguments."""
    args, kwargs = map_tree(change, (partial.args, dict(partial.kwargs)))
    return Partial(partial.function, args, tuple(kwargs.items()))


def nothing() -> None:
    """What a path does that has nothing to do."""
