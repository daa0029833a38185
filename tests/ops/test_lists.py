"""The ops of lists, against Python: what they give, raise and leave behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    OBJECT,
    STR,
    UNKNOWN,
    ListType,
    ScalarType,
    TensorType,
    Type,
    union_of,
)
from staticpy.ops import REGISTRY, Effect, is_sure_array
from tests.support.memory import check

F8, F4, I8 = (np.dtype(name) for name in ("float64", "float32", "int64"))
NAN = float("nan")

_INDEXES = (0, 1, -1, 2, -3, 10**30, True, np.int8(1))
_BOUNDS = [(a, b, c) for a in (None, 1, -2) for b in (None, 0, 9) for c in (None, 2, -1, 0)]


def _del(items: Any, index: Any) -> None:
    del items[index]


def _del_slice(items: Any, start: Any, stop: Any, step: Any) -> None:
    del items[start:stop:step]


def _set(items: Any, index: Any, value: Any) -> None:
    items[index] = value


def _set_slice(items: Any, source: Any, start: Any, stop: Any, step: Any) -> None:
    items[start:stop:step] = source


CASES: list[tuple[str, Callable[..., Any], list[tuple[Any, ...]]]] = [
    ("len", len, [([],), ([1, 2],)]),
    ("getitem", lambda items, i: items[i], [([1.5, 2.5], i) for i in _INDEXES]),
    ("setitem", _set, [([1, 2], i, 7) for i in _INDEXES]),
    ("delitem", _del, [([1, 2], i) for i in _INDEXES]),
    ("insert", lambda items, i, v: items.insert(i, v), [([1, 2], i, 7) for i in _INDEXES]),
    ("pop", lambda items, *i: items.pop(*i), [([1, 2],), *(([1, 2], i) for i in _INDEXES)]),
    ("getslice", lambda items, a, b, c: items[a:b:c], [([1, 2, 3, 4], *b) for b in _BOUNDS]),
    ("delslice", _del_slice, [([1, 2, 3, 4], *b) for b in _BOUNDS]),
    ("setslice", _set_slice, [([1, 2, 3, 4], [8, 9], *b) for b in _BOUNDS]),
    ("append", lambda items, v: items.append(v), [([1], 2), ([1.5], 2.5)]),
    ("extend", lambda items, more: items.extend(more), [([1], [2, 3]), ([1], (2, 3)), ([1], [])]),
    ("clear", lambda items: items.clear(), [([1],), ([],)]),
    ("reverse", lambda items: items.reverse(), [([1, 2, 3],)]),
    ("copy", lambda items: items.copy(), [([1, 2],)]),
    ("concat", lambda a, b: a + b, [([1], [2.5]), ([], [])]),
    ("repeat", lambda items, n: items * n, [([1, 2], n) for n in (0, 2, -1, True)]),
    ("contains", lambda items, v: v in items, [([1, 2.5, True], v) for v in (1, 2.5, 3, "a")]),
    ("contains", lambda items, v: v in items, [([NAN], 1.0), ([np.arange(2)], 1), ([None], None)]),
    ("count", lambda items, v: items.count(v), [([1, 1.0, True, 2], v) for v in (1, 2, "a")]),
    ("index", lambda items, *v: items.index(*v), [([1, 2, 1, 2], v) for v in (1, 2.0, 3)]),
    ("index", lambda items, *v: items.index(*v), [([1, 2, 1], 1, 1), ([1, 2, 1], 1, -3, 2)]),
    ("remove", lambda items, v: items.remove(v), [([1, 2, 1], v) for v in (1, 2.0, 5)]),
    ("eq", lambda a, b: a == b, [([1, 2], [1.0, 2]), ([1], [1, 2]), ((1, [2]), (1, [2]))]),
    ("eq", lambda a, b: a == b, [({"a": 1}, {"a": 1}), ([np.arange(2)], [np.arange(2)])]),
]


@pytest.mark.parametrize(("name", "plain", "operands"), CASES, ids=lambda case: str(case)[:20])
def test_as_python(name: str, plain: Callable[..., Any], operands: list[tuple[Any, ...]]) -> None:
    for each in operands:
        check(f"list.{name}", plain, *each)


@pytest.mark.parametrize("reverse", [False, True])
def test_sort(reverse: bool) -> None:
    for items in ([3, 1, 2], [2.5, NAN, 1.0], ["b", "a"], [1, "a"], [1j, 2j], [(2, 1), (1, 5)]):
        check("list.sort", lambda x: x.sort(reverse=reverse), items, reverse=reverse)


def test_items_are_the_very_objects() -> None:
    array = np.arange(3)
    items = [array]
    assert REGISTRY["list.getitem"].kernel(items, 0) is array  # type: ignore[misc]
    check("list.getitem", lambda x, i: x[i], items, 0)


MADE: list[tuple[Type, tuple[Any, ...]]] = [
    (ListType(INT), (1, 2)),
    (ListType(NEVER), ()),
    (ListType(union_of((INT, NONE))), (1, None)),
    (ListType(TensorType(F8, ("?",))), (np.ones(2), np.ones(3))),
    (OBJECT, (1, "a", None)),
]


@pytest.mark.parametrize(("type_", "items"), MADE, ids=str)
def test_make(type_: Type, items: tuple[Any, ...]) -> None:
    check("list.make", lambda *values: list(values), *items, type=type_)


REFUSED: list[tuple[str, tuple[Type, ...], dict[str, Any]]] = [
    ("make", (FLOAT,), {"type": ListType(INT)}),
    ("make", (INT,), {"type": INT}),
    ("append", (ListType(INT), FLOAT), {}),
    ("setitem", (ListType(INT), INT, NONE), {}),
    ("extend", (ListType(INT), ListType(FLOAT)), {}),
    ("getitem", (ListType(INT), FLOAT), {}),
    ("getitem", (INT, INT), {}),
    ("getslice", (ListType(INT), INT, INT, STR), {}),
    ("pop", (ListType(INT), INT, INT), {}),
]


@pytest.mark.parametrize(("name", "types", "attrs"), REFUSED, ids=str)
def test_type_rules_refuse(name: str, types: tuple[Type, ...], attrs: dict[str, Any]) -> None:
    with pytest.raises(DiagnosticError):
        REGISTRY[f"list.{name}"].result_types(types, attrs)


@pytest.mark.parametrize(
    ("name", "types", "expected"),
    [
        ("len", (ListType(INT),), Effect.NONE),
        ("getitem", (ListType(INT), INT), Effect.RAISES),
        ("append", (ListType(INT), INT), Effect.WRITES | Effect.RAISES),
        ("contains", (ListType(INT), INT), Effect.NONE),
        ("contains", (ListType(TensorType(F8, ("n",))), INT), Effect.RAISES),
        ("contains", (ListType(OBJECT), INT), Effect.WRITES | Effect.RAISES),
        ("getslice", (ListType(INT), INT, NONE, NONE), Effect.NONE),
        ("getslice", (ListType(INT), INT, NONE, INT), Effect.RAISES),
    ],
)
def test_effects(name: str, types: tuple[Type, ...], expected: Effect) -> None:
    assert REGISTRY[f"list.{name}"].effects_of(types, {}) == expected


# --- arrays ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("to_python", [False, True])
def test_list_of_an_array(to_python: bool) -> None:
    for dtype in ("bool", "int8", "uint64", "float32", "complex128"):
        for array in (np.ones(3, dtype), np.ones((2, 2), dtype), np.ones(0, dtype)):
            plain: Callable[..., Any] = (lambda x: x.tolist()) if to_python else list
            check("list.from_array", plain, array, to_python=to_python)


ARRAYS: list[tuple[list[Any], Any, Any, int]] = [
    ([1, 2], None, I8, 1),
    ([1.5], None, F8, 1),
    ([], None, F8, 1),
    ([np.float32(1)], None, F4, 1),
    ([1.5, np.float64(2)], None, F8, 1),
    ([[1, 2], [3, 4]], None, I8, 2),
    ([(1, 2.5), (3, 4.5)], None, F8, 2),
    ([np.ones(3), np.ones(3)], None, F8, 2),
    ([[1], [2, 3]], None, I8, 2),
    ([1, 2.5], F4, F4, 1),
    ([300], np.dtype("int8"), np.dtype("int8"), 1),
    ([], I8, I8, 1),
]


@pytest.mark.parametrize(("items", "dtype", "element", "rank"), ARRAYS, ids=str)
def test_array_of_a_list(items: list[Any], dtype: Any, element: Any, rank: int) -> None:
    attrs = {"dtype": dtype, "element": element, "rank": rank}
    check("list.array", lambda x: np.array(x, dtype=dtype), items, **attrs)


@pytest.mark.parametrize(("element", "rank", "items"), [(I8, 1, []), (I8, 1, [2**70]), (F8, 2, [])])
def test_an_array_of_another_type_is_refused(element: Any, rank: int, items: list[Any]) -> None:
    attrs = {"dtype": None, "element": element, "rank": rank}
    kernel = REGISTRY["list.array"].kernel
    assert kernel is not None
    assert not is_sure_array(attrs)
    with pytest.raises(DiagnosticError, match="SPY626"):
        kernel(items, **attrs)


@pytest.mark.parametrize("item", [union_of((INT, STR)), STR, OBJECT, NONE])
def test_an_array_of_what_is_no_number_is_refused(item: Type) -> None:
    attrs = {"dtype": None, "element": F8, "rank": 1}
    with pytest.raises(DiagnosticError):
        REGISTRY["list.array"].result_types((ListType(item),), attrs)


@pytest.mark.parametrize(
    ("item", "element"),
    [
        (union_of((INT, FLOAT)), (F8, I8)),
        (union_of((BOOL, INT)), (np.dtype(bool), I8)),
        (ListType(union_of((INT, FLOAT))), (F8, I8)),
    ],
)
def test_an_array_may_be_of_one_of_several_dtypes_by_its_items(item: Type, element: Any) -> None:
    rank = 2 if isinstance(item, ListType) else 1
    attrs = {"dtype": None, "element": element, "rank": rank}
    (found,) = REGISTRY["list.array"].result_types((ListType(item),), attrs)
    assert found == union_of(TensorType(dtype, (UNKNOWN,) * rank) for dtype in element)


def test_code_for_too_many_dtypes_is_refused() -> None:
    items = [ScalarType(np.dtype(each)) for each in ("i1", "u1", "i2", "f2", "f4")]
    attrs = {"dtype": None, "element": F8, "rank": 1}
    with pytest.raises(DiagnosticError, match="SPY605"):
        REGISTRY["list.array"].result_types((ListType(union_of(items)),), attrs)


def test_numbers_in_two_boxes_of_one_dtype_make_an_array() -> None:
    items = ListType(union_of((FLOAT, ScalarType(F8))))
    attrs = {"dtype": None, "element": F8, "rank": 1}
    assert REGISTRY["list.array"].result_types((items,), attrs) == (TensorType(F8, ("?",)),)
