"""The objects that a program's arguments, results and module consist of.

In: any Python value. Out: what it holds, one step down, each with the text of the step; everything
that can be reached; and a copy in which arrays share memory as the originals do.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Iterator
from copy import deepcopy
from enum import Enum
from typing import Any

import numpy as np

_ATOMS = (
    type(None),
    type(Ellipsis),
    type(NotImplemented),
    bool | int | float | complex | str | bytes | range | slice,
    np.generic,
    np.dtype,
    np.ufunc,
    type,
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    Enum,
)

Step = tuple[str, Any]


def is_atom(value: Any) -> bool:
    """Whether a value holds nothing that a program could change."""
    return isinstance(value, _ATOMS) or type(value).__module__.partition(".")[0] == "staticpy"


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes of an instance, those in slots after those in its dict."""
    found = dict(getattr(value, "__dict__", {}))
    for class_ in type(value).__mro__:
        slots = class_.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found.setdefault(name, getattr(value, name))
    return found


def children(value: Any) -> Iterator[Step]:
    """What ``value`` holds, in its own order."""
    if is_atom(value):
        return
    if isinstance(value, dict):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, tuple | list):
        yield from ((f"[{position}]", item) for position, item in enumerate(value))
    elif isinstance(value, set | frozenset):
        yield from ((f"{{{item!r}}}", item) for item in sorted(value, key=repr))
    elif isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            yield from ((f".flat[{position}]", item) for position, item in enumerate(value.flat))
    else:
        yield from _parts(value)
    if not isinstance(value, np.ndarray | functools.partial):
        yield from ((f".{name}", item) for name, item in attributes_of(value).items())


def _parts(value: Any) -> Iterator[Step]:
    if isinstance(value, functools.partial):
        yield from ((".func", value.func), (".args", value.args), (".keywords", value.keywords))
    elif isinstance(value, types.MethodType):
        yield from ((".__self__", value.__self__), (".__func__", value.__func__))
    elif isinstance(value, BaseException):
        yield ".args", value.args
        if value.__cause__ is not None:
            yield ".__cause__", value.__cause__
        elif not value.__suppress_context__ and value.__context__ is not None:
            yield ".__context__", type(value.__context__)


def reachable(values: Iterable[Any]) -> Iterator[Any]:
    """Every object that can be reached from ``values``, each once, themselves included."""
    seen: dict[int, Any] = {}
    pending = list(values)
    while pending:
        value = pending.pop()
        if id(value) not in seen:
            seen[id(value)] = value
            pending += [item for _, item in children(value)]
            yield value


# --- copying --------------------------------------------------------------------------------------


def copied(tree: Any) -> Any:
    """A deep copy of ``tree``: what was one object is one, and a view is a view of the copy."""
    memo: dict[int, Any] = {}
    bases: dict[int, np.ndarray] = {}
    for value in reachable([tree]):
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            memo[id(value)] = _copied_array(value, bases)
        elif isinstance(value, types.ModuleType):
            memo[id(value)] = value
    return deepcopy(tree, memo)


def _copied_array(array: np.ndarray, bases: dict[int, np.ndarray]) -> np.ndarray:
    base = _base(array)
    if not (base.flags.c_contiguous or base.flags.f_contiguous):
        base = array
    if id(base) not in bases:
        bases[id(base)] = base.copy(order="K")
    copy = bases[id(base)]
    if base is not array:
        memory = copy.ravel(order="K")
        offset = _address(array) - _address(base)
        plain = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
        copy = plain.view(type(array))
    copy.flags.writeable = array.flags.writeable
    return copy


def _base(array: np.ndarray) -> np.ndarray:
    """The array whose memory ``array`` is a part of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _address(array: np.ndarray) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
