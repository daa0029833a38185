"""The ops of dicts, tuples and sets, against Python: what they give, raise and leave behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    FLOAT,
    INT,
    NEVER,
    NONE,
    OBJECT,
    STR,
    DictType,
    ListType,
    TensorType,
    TupleType,
    Type,
    union_of,
)
from staticpy.ops import REGISTRY, Effect
from tests.support.memory import check

_NUMBERS = {1: 2.5, 2: 3.5}
_KEYS: tuple[Any, ...] = (1, True, 2.0, 3, "a", None, (1, 2), np.int64(2), np.arange(2))


def _set(items: Any, key: Any, value: Any) -> None:
    items[key] = value


def _del(items: Any, key: Any) -> None:
    del items[key]


CASES: list[tuple[str, Callable[..., Any], list[tuple[Any, ...]]]] = [
    ("len", len, [({},), (_NUMBERS,)]),
    ("getitem", lambda d, k: d[k], [(_NUMBERS, key) for key in _KEYS]),
    ("contains", lambda d, k: k in d, [(_NUMBERS, key) for key in _KEYS]),
    ("get", lambda d, *k: d.get(*k), [(_NUMBERS, key) for key in _KEYS]),
    ("get", lambda d, *k: d.get(*k), [(_NUMBERS, key, "none") for key in _KEYS]),
    ("pop", lambda d, *k: d.pop(*k), [(_NUMBERS, key) for key in _KEYS]),
    ("pop", lambda d, *k: d.pop(*k), [(_NUMBERS, key, None) for key in _KEYS]),
    ("delitem", _del, [(_NUMBERS, key) for key in _KEYS]),
    ("setitem", _set, [(_NUMBERS, key, 7.5) for key in (1, 3)]),
    ("setitem", _set, [({np.int64(1): 1, "a": 2}, key, 7) for key in (np.int64(2), "b", "a")]),
    ("update", lambda d, o: d.update(o), [(_NUMBERS, {1: 0.5, 5: 1.5}), ({"a": 1}, {})]),
    ("clear", lambda d: d.clear(), [({"a": 1},)]),
    ("copy", lambda d: d.copy(), [({"a": 1},)]),
    ("keys", list, [(_NUMBERS,), ({},)]),
    ("values", lambda d: list(d.values()), [(_NUMBERS,), ({},), ({"a": np.arange(3)},)]),
    ("items", lambda d: list(d.items()), [(_NUMBERS,), ({},)]),
]


@pytest.mark.parametrize(("name", "plain", "operands"), CASES, ids=lambda case: str(case)[:20])
def test_as_python(name: str, plain: Callable[..., Any], operands: list[tuple[Any, ...]]) -> None:
    for each in operands:
        check(f"dict.{name}", plain, *each)


@pytest.mark.parametrize(
    ("type_", "keys", "values"),
    [
        (DictType(STR, INT), ("a", "b"), (1, 2)),
        (DictType(INT, INT), (1, 1), (2, 3)),
        (DictType(STR, union_of((INT, NONE))), ("a", "b"), (1, None)),
        (DictType(NEVER, NEVER), (), ()),
        (OBJECT, ("a", None), (np.arange(2), 1)),
        (OBJECT, (np.arange(2),), (1,)),
    ],
)
def test_make(type_: Type, keys: tuple[Any, ...], values: tuple[Any, ...]) -> None:
    def plain(*operands: Any) -> Any:
        return dict(zip(operands[: len(keys)], operands[len(keys) :], strict=True))

    check("dict.make", plain, *keys, *values, type=type_)


def test_tuples() -> None:
    check("tuple.make", lambda *items: items, 1, np.ones(2), "a")
    check("tuple.make", lambda *items: items)
    check("tuple.items", lambda t: t, (1, np.ones(2), None))
    check("tuple.items", lambda t: t[0], (2.5,))


def test_sets() -> None:
    check("set.make", lambda *items: set(items), 1, True, 2, type=OBJECT)
    check("set.make", lambda *items: set(items), type=OBJECT)
    check("set.make", lambda *items: set(items), np.ones(2), type=OBJECT)


REFUSED: list[tuple[str, tuple[Type, ...], dict[str, Any]]] = [
    ("dict.make", (STR, FLOAT), {"type": DictType(STR, INT)}),
    ("dict.make", (STR,), {"type": DictType(STR, INT)}),
    ("dict.setitem", (DictType(STR, INT), STR, FLOAT), {}),
    ("dict.setitem", (DictType(STR, INT), INT, INT), {}),
    ("dict.update", (DictType(STR, INT), DictType(STR, FLOAT)), {}),
    ("dict.getitem", (ListType(INT), INT), {}),
    ("set.make", (INT,), {"type": ListType(INT)}),
    ("tuple.items", (ListType(INT),), {}),
    ("slice.make", (INT, INT), {}),
]


@pytest.mark.parametrize(("name", "types", "attrs"), REFUSED, ids=str)
def test_type_rules_refuse(name: str, types: tuple[Type, ...], attrs: dict[str, Any]) -> None:
    with pytest.raises(DiagnosticError):
        REGISTRY[name].result_types(types, attrs)


def test_types_of_views() -> None:
    items = DictType(STR, TensorType(np.dtype("float64"), ("n",)))
    assert REGISTRY["dict.keys"].result_types((items,), {}) == (ListType(STR),)
    assert REGISTRY["dict.values"].result_types((items,), {}) == (ListType(items.value),)
    pairs = ListType(TupleType((STR, items.value)))
    assert REGISTRY["dict.items"].result_types((items,), {}) == (pairs,)


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("contains", STR, Effect.NONE),
        ("contains", TensorType(np.dtype("float64"), (3,)), Effect.RAISES),
        ("contains", OBJECT, Effect.WRITES | Effect.RAISES),
        ("get", INT, Effect.NONE),
        ("getitem", INT, Effect.RAISES),
        ("pop", INT, Effect.WRITES | Effect.RAISES),
    ],
)
def test_effects(name: str, key: Type, expected: Effect) -> None:
    types = (DictType(STR, INT), key)
    assert REGISTRY[f"dict.{name}"].effects_of(types, {}) == expected
