"""Dicts of the running program.

%d = dict.make %k, %v {type = !dict[int, f64]} : dict[int, f64]
dict.setitem %d, %j, %w
%x = dict.getitem %d, %k : f64

As lists, dicts are memory that every alias sees; a value that is read is the very object that was
stored.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.ir import (
    BOOL,
    INT,
    NEVER,
    NONE,
    OBJECT,
    STR,
    DictType,
    ListType,
    TupleType,
    Type,
    union_of,
)
from staticpy.ops.containers import WRITES, invalid, key_effects, require
from staticpy.ops.opdef import Attrs, Effect, defop


def dict_type(type_: Type) -> DictType:
    """``type_``, which must be that of a dict."""
    if not isinstance(type_, DictType):
        raise invalid(f"a dict is due, not {type_}")
    return type_


def _key_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    keys = [operands[0].key] if isinstance(operands[0], DictType) else []
    return key_effects([*keys, operands[1]])


def _search_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    return Effect.RAISES | _key_effects(operands, attrs)


# --- making ---------------------------------------------------------------------------------------


def _infer_make(*operands: Type, type: Type) -> Type:  # noqa: A002
    half = len(operands) // 2
    if len(operands) % 2:
        raise invalid("a dict has as many values as keys")
    if isinstance(type, DictType):
        require(type.key, *operands[:half])
        require(type.value, *operands[half:])
    elif type != OBJECT:
        raise invalid(f"a dict is due, not {type}")
    return type


def _make(*operands: Any, type: Type) -> Any:  # noqa: A002
    half = len(operands) // 2
    return dict(zip(operands[:half], operands[half:], strict=True))


def _make_samples(_: Any) -> Any:
    yield ("a", "b", 1, None), {"type": DictType(STR, union_of((INT, NONE)))}
    yield (1, 1, 2, 3), {"type": DictType(INT, INT)}
    yield (), {"type": DictType(NEVER, NEVER)}
    yield ("a", np.arange(3)), {"type": OBJECT}
    yield (np.arange(3), 1), {"type": OBJECT}


make = defop(
    "dict.make",
    infer=_infer_make,
    kernel=_make,
    effects=lambda operands, _: key_effects(operands[: len(operands) // 2]),
    samples=_make_samples,
)
"""``{k: v}``; the operands are all keys, then all values. Of a dict type, or an object of which the
graph reads nothing."""


def _infer_copy(items: Type) -> Type:
    return dict_type(items)


copy = defop(
    "dict.copy",
    infer=_infer_copy,
    kernel=lambda items: items.copy(),
    view=True,
    samples=lambda _: [(({"a": 1},), {}), (({},), {})],
)
"""``d.copy()``: a new dict of the same items."""


# --- reading --------------------------------------------------------------------------------------


def _infer_len(items: Type) -> Type:
    dict_type(items)
    return INT


length = defop(
    "dict.len",
    infer=_infer_len,
    kernel=len,
    samples=lambda _: [(({"a": 1},), {}), (({},), {})],
)
"""``len(d)``."""


def _infer_contains(items: Type, _key: Type) -> Type:
    dict_type(items)
    return BOOL


def _contains_samples(_: Any) -> Any:
    for key in ("a", "b", 1, (1, 2), np.arange(2)):
        yield ({"a": 1, "b": 2}, key), {}


contains = defop(
    "dict.contains",
    infer=_infer_contains,
    kernel=operator.contains,
    effects=_key_effects,
    samples=_contains_samples,
)
"""``key in d``; the operands are the dict and the key."""


def _infer_getitem(items: Type, _key: Type) -> Type:
    return dict_type(items).value


def _getitem_samples(_: Any) -> Any:
    for key in (1, True, 1.0, 3):
        yield ({1: 2.5, 2: 3.5}, key), {}
    yield ({"a": np.arange(3)}, "a"), {}


getitem = defop(
    "dict.getitem",
    infer=_infer_getitem,
    kernel=operator.getitem,
    effects=_search_effects,
    view=True,
    samples=_getitem_samples,
)
"""``d[key]``; KeyError."""


def _infer_get(items: Type, _key: Type, *default: Type) -> Type:
    return union_of((dict_type(items).value, *(default or (NONE,))))


def _get_samples(_: Any) -> Any:
    for key in (1, 3):
        yield ({1: 2.5, 2: 3.5}, key), {}
        yield ({1: 2.5, 2: 3.5}, key, 7), {}


get = defop(
    "dict.get",
    infer=_infer_get,
    kernel=lambda items, *operands: items.get(*operands),
    effects=_key_effects,
    view=True,
    samples=_get_samples,
)
"""``d.get(key)`` or ``d.get(key, default)``."""


def _view_samples(_: Any) -> Any:
    yield ({"a": 1, "b": 2},), {}
    yield ({},), {}
    yield ({1: np.arange(3)},), {}


keys = defop(
    "dict.keys",
    infer=lambda items: ListType(dict_type(items).key),
    kernel=list,
    view=True,
    samples=_view_samples,
)
"""``list(d)``."""

values = defop(
    "dict.values",
    infer=lambda items: ListType(dict_type(items).value),
    kernel=lambda items: list(items.values()),
    view=True,
    samples=_view_samples,
)
"""``list(d.values())``."""


def _infer_items(items: Type) -> Type:
    type_ = dict_type(items)
    is_empty = NEVER in (type_.key, type_.value)
    return ListType(NEVER if is_empty else TupleType((type_.key, type_.value)))


items_ = defop(
    "dict.items",
    infer=_infer_items,
    kernel=lambda items: list(items.items()),
    view=True,
    samples=_view_samples,
)
"""``list(d.items())``."""


# --- iterators ------------------------------------------------------------------------------------

_KINDS = ("keys", "values", "items")


def _infer_iterator(items: Type, *, kind: str, is_reversed: bool) -> Type:
    dict_type(items)
    if kind not in _KINDS:
        raise invalid(f"a dict has no view {kind!r}")
    return OBJECT


def _iterator(items: Any, *, kind: str, is_reversed: bool) -> Any:
    view = getattr(items, kind)()
    return reversed(view) if is_reversed else iter(view)


def _iterator_samples(_: Any) -> Any:
    for kind in _KINDS:
        for is_reversed in (False, True):
            yield ({"a": 1, "b": 2},), {"kind": kind, "is_reversed": is_reversed}


iterator = defop(
    "dict.iterator",
    infer=_infer_iterator,
    kernel=_iterator,
    view=True,
    samples=_iterator_samples,
)
"""``iter(d)``, ``reversed(d.items())`` or the like: Python's own iterator, an object."""


def _infer_next(_: Type, items: Type, *, kind: str) -> Type:
    type_ = dict_type(items)
    pair = NEVER if NEVER in (type_.key, type_.value) else TupleType((type_.key, type_.value))
    return {"keys": type_.key, "values": type_.value, "items": pair}[kind]


def _next_samples(_: Any) -> Any:
    items = {"a": 1, "b": 2}
    for kind in _KINDS:
        for holder in (items, {}):
            yield (iter(getattr(holder, kind)()), items), {"kind": kind}


next_ = defop(
    "dict.next",
    infer=_infer_next,
    kernel=lambda iterator, _, **__: next(iterator),
    effects=WRITES,
    samples=_next_samples,
)
"""``next(i)`` of an iterator of the dict, the second operand; StopIteration, or RuntimeError where
the dict has changed its size since the iterator was made."""


# --- writing --------------------------------------------------------------------------------------


def _infer_setitem(items: Type, key: Type, value: Type) -> tuple[Type, ...]:
    type_ = dict_type(items)
    require(type_.key, key)
    require(type_.value, value)
    return ()


setitem = defop(
    "dict.setitem",
    infer=_infer_setitem,
    kernel=operator.setitem,
    effects=WRITES,
    samples=lambda _: [(({1: 2.5}, key, 3.5), {}) for key in (1, 2)],
)
"""``d[key] = value``."""


def _infer_delitem(items: Type, _key: Type) -> tuple[Type, ...]:
    dict_type(items)
    return ()


delitem = defop(
    "dict.delitem",
    infer=_infer_delitem,
    kernel=operator.delitem,
    effects=WRITES,
    samples=lambda _: [(({1: 2.5}, key), {}) for key in (1, 2)],
)
"""``del d[key]``; KeyError."""


def _infer_pop(items: Type, _key: Type, *default: Type) -> Type:
    return union_of((dict_type(items).value, *default))


def _pop_samples(_: Any) -> Any:
    for key in (1, 3):
        yield ({1: 2.5, 2: 3.5}, key), {}
        yield ({1: 2.5, 2: 3.5}, key, None), {}


pop = defop(
    "dict.pop",
    infer=_infer_pop,
    kernel=lambda items, *operands: items.pop(*operands),
    effects=WRITES,
    view=True,
    samples=_pop_samples,
)
"""``d.pop(key)``, KeyError, or ``d.pop(key, default)``."""


def _infer_popitem(items: Type) -> Type:
    type_ = dict_type(items)
    is_empty = NEVER in (type_.key, type_.value)
    return NEVER if is_empty else TupleType((type_.key, type_.value))


popitem = defop(
    "dict.popitem",
    infer=_infer_popitem,
    kernel=lambda items: items.popitem(),
    effects=WRITES,
    view=True,
    samples=lambda _: [(({1: 2.5, 2: 3.5},), {}), (({"a": np.arange(3)},), {})],
)
"""``d.popitem()``: the pair that was put in last; KeyError."""


def _infer_update(items: Type, other: Type) -> tuple[Type, ...]:
    type_, source = dict_type(items), dict_type(other)
    require(type_.key, source.key)
    require(type_.value, source.value)
    return ()


update = defop(
    "dict.update",
    infer=_infer_update,
    kernel=lambda items, other: items.update(other),
    effects=WRITES,
    samples=lambda _: [(({1: 2.5}, {1: 3.5, 2: 4.5}), {}), (({"a": 1}, {}), {})],
)
"""``d.update(other)``."""


def _infer_clear(items: Type) -> tuple[Type, ...]:
    dict_type(items)
    return ()


clear = defop(
    "dict.clear",
    infer=_infer_clear,
    kernel=lambda items: items.clear(),
    effects=WRITES,
    samples=lambda _: [(({"a": 1},), {})],
)
"""``d.clear()``."""
