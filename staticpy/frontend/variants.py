"""One of several objects that are known while compiling, by a number of the running program.

Where paths meet with different objects of the user's, members of an Enum, functions or classes, the
value is a Variant. What is done with it is done with each of its options, chosen at run time, so a
write reaches the very object that CPython would write to.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from staticpy.frontend.classes import is_enum_member
from staticpy.frontend.inputs import Variant
from staticpy.frontend.values import (
    BoundFunction,
    Closure,
    ObjectRef,
    Partial,
    UserFunction,
    same_static,
)

LONGEST_VARIANT = 32
_OPTIONS = (
    ObjectRef,
    UserFunction,
    Closure,
    BoundFunction,
    Partial,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.ModuleType,
    np.ufunc,
    np.dtype,
    type,
)


def is_option(value: Any) -> bool:
    """Whether ``value`` may be one of the options of a Variant by itself."""
    return isinstance(value, _OPTIONS) or is_enum_member(value)


def options_of(value: Any) -> tuple[Any, ...]:
    """The options of a Variant; any other value is its own only one."""
    return value.options if isinstance(value, Variant) else (value,)


def joined_options(left: Any, right: Any) -> tuple[Any, ...] | None:
    """The options of what is ``left`` or ``right``; None where there is no Variant of them."""
    found: list[Any] = []
    for option in (*options_of(left), *options_of(right)):
        if not (is_option(option) or option is None):
            return None
        if position_of(option, found) is None:
            found.append(option)
    if len(found) > LONGEST_VARIANT or not any(map(is_option, found)):
        return None
    return tuple(found)


def position_of(option: Any, options: Any) -> int | None:
    """The place of an option among others."""
    for position, each in enumerate(options):
        if each is option or same_static(each, option):
            return position
    return None


__all__ = ["LONGEST_VARIANT", "Variant", "is_option", "joined_options", "options_of", "position_of"]
