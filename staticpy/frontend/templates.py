"""Texts in the making, and what Python says of how objects look.

In: texts, Values and format specs, one after the other. Out: the parts and the operands of a
``str.format``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from staticpy.frontend.classes import instance_class, is_enum_member, is_object, python_function
from staticpy.frontend.inputs import is_named_tuple
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.values import DictView, Ref
from staticpy.ir import NONE, ScalarType, TensorType, Value

_LEAVES = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    range,
    type(None),
    type(...),
    type(NotImplemented),
)


@dataclass(eq=False, slots=True)
class Template:
    """A text in the making: texts and fields, as the op ``str.format`` takes them.

    ``before`` shows what stands before this text, where somebody could tell that it is not yet.
    """

    parts: list[Any] = field(default_factory=list)
    operands: list[Value] = field(default_factory=list)
    before: Callable[[], None] | None = None

    def text(self, text: str) -> None:
        """Add a text."""
        if text and self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += text
        elif text:
            self.parts.append(str(text))

    def field(self, value: Value, conversion: str = "", spec: str | Template = "") -> None:
        """Add a field that shows ``value``."""
        self.operands.append(value)
        if isinstance(spec, Template):
            self.operands += spec.operands
            self.parts.append((conversion, tuple(spec.parts)))
        else:
            self.parts.append((conversion, spec))

    def known(self) -> str | Template:
        """The text, if it has no field; else the template itself."""
        return self if self.operands else "".join(self.parts)


@dataclass(frozen=True, slots=True)
class Hook:
    """What a class of the user's says about how its objects look.

    ``method`` is the bound method; None for the ``__repr__`` that ``dataclass`` has made for the
    class ``base``.
    """

    name: str
    method: Any
    base: Any


def is_ordered_set(items: frozenset[Any]) -> bool:
    """Whether CPython goes through a set of these in an order that does not depend on the run."""
    if len(items) <= 1:
        return True
    return all(type(item) is int and 0 <= item < 8 for item in items)


def type_name(value: Any) -> str:
    """The name that Python's messages have for the class of a value."""
    type_ = value.type if isinstance(value, Value) else None
    if isinstance(type_, TensorType):
        return "numpy.ndarray"
    if isinstance(type_, ScalarType):
        return f"numpy.{type_.dtype.type.__name__}"
    return "NoneType" if value is None or type_ == NONE else kind_of(value)


def no_index(what: str, value: Any) -> str:
    """What Python says of a value that is no index of a list, a str, or the like."""
    if what == "slice":
        return "slice indices must be integers or None or have an __index__ method"
    if isinstance(value, Value) and isinstance(value.type, TensorType):
        return "only integer scalar arrays can be converted to a scalar index"
    if what in ("str", "string"):
        return f"string indices must be integers, not '{type_name(value)}'"
    return f"{what} indices must be integers or slices, not {type_name(value)}"


def own_class(value: Any) -> Any:
    """The class of an object whose class may be the user's; None for any other."""
    if is_object(value):
        return instance_class(value)
    return type(value) if is_enum_member(value) or is_named_tuple(value) else None


def is_users(raw: Any) -> bool:
    """Whether a method is a Python function other than those that make enums and named tuples."""
    function = python_function(raw)
    return function is not None and function.__module__ not in ("enum", "collections")


def has_no_specs(value: Any) -> bool:
    """Whether Python's class of a compile-time object knows no format spec but the empty one."""
    return isinstance(value, Ref | DictView | tuple | frozenset | slice)


def is_known(value: Any) -> bool:
    """Whether a compile-time object looks the same in each run of the program."""
    if isinstance(value, enum.Enum):
        held = value._value_
        return all(map(is_known, held)) if type(held) is tuple else is_known(held)
    if type(value) is type:
        return value.__module__ in ("builtins", "numpy")
    return type(value) in _LEAVES or isinstance(value, np.dtype | np.ufunc)


def holds_instances(live: Any) -> bool:
    """Whether an object whose look the user has programmed is in a container from outside."""
    pending: list[Any] = [live]
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            pending += [*value, *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            pending += value
        if is_users(getattr(type(value), "__repr__", None)):
            return True
    return False
