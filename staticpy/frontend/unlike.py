"""Equality of something of NumPy and of what is no number: a text, ``None``, a function, an object.

In: the two sides. Out: what NumPy says. No element is equal to such a thing; but whether the answer
is Python's ``False`` or NumPy's, and whether there is one, differs from one version of NumPy to the
next (up to 2.2 a text gives Python's, in 2.0 an object gives NumPy's and a class a TypeError). So
the NumPy that runs is asked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.frontend.values import is_liftable, leaf_type
from staticpy.ir import NONE, STR, ScalarType, TensorType, Type, Value, members_of

_ASKED_ABOUT = (str, bytes, type, np.dtype)
"""Of these NumPy may look at the value; anything else that comes here is an object to it."""


def may_be_numpy(type_: Type) -> bool:
    """Whether a value of ``type_`` may be an array or a scalar of NumPy's."""
    return any(isinstance(member, TensorType | ScalarType) for member in members_of(type_))


def beside_text(left: Any, right: Any) -> Value | None:
    """What is of NumPy, where the other side is a text; None where it isn't so."""
    for number, text in ((left, right), (right, left)):
        is_text = isinstance(text, str | bytes) or (isinstance(text, Value) and text.type == STR)
        if is_text and is_liftable(number) and may_be_numpy(leaf_type(number)):
            return ops.as_value(number)
    return None


def is_unlike(type_: Type, other: Any) -> bool:
    """Whether a number of ``type_`` is unequal to ``other``, and NumPy says so without raising."""
    if isinstance(other, type) and type(other).__eq__ is not type.__eq__:
        return False
    if isinstance(type_, ScalarType):
        return _said_of(type_, _asked(other)) is not None
    return not (isinstance(other, np.dtype) and type_ == STR)  # which may be its name


def unlike(symbol: str, value: Value, other: Any) -> Any:
    """``value == other``, or ``!=``, of something of NumPy's and what it equals in no element."""
    type_, answer = value.type, symbol == "!="
    if isinstance(type_, TensorType) and type_.dims:
        return ops.FUNCTIONS[np.ones_like if answer else np.zeros_like](value, dtype=np.bool_)
    said = _said_of(type_, _asked(other))
    return ops.as_value(np.bool_(answer)) if isinstance(said, np.bool_) else answer


def _asked(other: Any) -> Any:
    if isinstance(other, Value):
        kinds: dict[Type, Any] = {STR: "", NONE: None}
        return kinds.get(other.type, _SOMETHING)
    return other if other is None or isinstance(other, _ASKED_ABOUT) else _SOMETHING


_SOMETHING = object()


@lru_cache(maxsize=4096, typed=True)
def _said_of(type_: Type, other: Any) -> bool | np.bool_ | None:
    """What this NumPy says of ``number == other``; None where it is equal, or raises."""
    assert isinstance(type_, TensorType | ScalarType)
    number = type_.dtype.type(1) if isinstance(type_, ScalarType) else np.ones((), type_.dtype)
    try:
        said, reflected = number == other, other == number
    except (TypeError, ValueError):
        return None
    is_settled = isinstance(said, bool | np.bool_) and type(said) is type(reflected)
    return said if is_settled and not (said or reflected) else None
