"""The compile-time objects of the frontend that Python itself has no object for.

While a function is lowered, each of its values is either an ``ir.Value`` (run-time) or a plain
Python object (compile-time); tuples, lists and dicts are real ones that may hold Values. What a
running program would hold in a function object, a bound method or an iterator is held in the
classes below.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from staticpy.frontend.scope import Scope
from staticpy.ir import PYTHON_TYPES, Type, Value
from staticpy.source import SourceSpan, SourceUnit


class Marker:
    """A compile-time value that stands for the lack of one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}>"


UNBOUND: Final = Marker("unbound")
"""A variable that has no value on a path."""
DEAD: Final = Marker("dead")
"""A variable that nobody reads on a path, because the path has left the function."""
PENDING: Final = Marker("pending")
"""A variable that a loop binds, whose type is not found yet."""
POISON: Final = Marker("poison")
"""What a statement with an error would have computed; reading it is not an error of its own."""


class Poisoned(Exception):
    """Raised where a value is needed that an earlier error has spoiled."""


class Pending(Poisoned):
    """Raised where a variable is read whose type an enclosing loop has yet to find."""


class NoVerdict(Exception):
    """Raised where something is met of which nothing is known, so that nothing can be said."""

    def __init__(self, name: str, span: SourceSpan) -> None:
        super().__init__(name)
        self.name = name
        self.span = span


@dataclass(eq=False, slots=True)
class UserFunction:
    """A function of the user's that is not nested in the one being lowered.

    ``function`` is the live object, which holds the default values; None where only the text is
    known (``check``).
    """

    unit: SourceUnit
    scope: Scope
    function: types.FunctionType | None = None


@dataclass(eq=False, slots=True)
class Closure:
    """A nested function or lambda: its node and the frame around it, read when it is called."""

    node: Any
    frame: Any
    defaults: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoundFunction:
    """A method of a user's object: a function with its first argument."""

    function: UserFunction
    self_value: Any


@dataclass(frozen=True, slots=True)
class ArrayMethod:
    """A method of a run-time value, such as ``x.sum``: the ops' adapter and the value."""

    name: str
    adapter: Callable[..., Any]
    value: Value


@dataclass(frozen=True, slots=True)
class RangeIterable:
    """``range(start, stop, step)``, each a static int or a Value."""

    start: Any
    stop: Any
    step: Any


@dataclass(frozen=True, slots=True)
class EnumerateIterable:
    """``enumerate(iterable, start)``."""

    iterable: Any
    start: Any


@dataclass(frozen=True, slots=True)
class ZipIterable:
    """``zip(*iterables)``."""

    iterables: tuple[Any, ...]


def is_scalar(value: Any) -> bool:
    """Whether ``value`` is a compile-time Python number, which a constant of the graph can hold."""
    return type(value) in PYTHON_TYPES


def is_liftable(value: Any) -> bool:
    """Whether ``value`` is, or can become, one Value of the graph."""
    return isinstance(value, Value) or is_scalar(value)


def leaf_type(value: Any) -> Type:
    """The type that a liftable value has in the graph."""
    return value.type if isinstance(value, Value) else PYTHON_TYPES[type(value)]


def same_static(left: Any, right: Any) -> bool:
    """Whether two compile-time leaves are the same value: type, value and sign of zero."""
    if left is right:
        return True
    if type(left) is not type(right) or isinstance(left, Value):
        return False
    if is_scalar(left) or isinstance(left, str | bytes):
        return repr(left) == repr(right)
    return bool(left == right) if isinstance(left, BoundFunction | type) else False
