"""``sorted`` by keys and ``sum`` of run-time lists, against Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    OBJECT,
    STR,
    ListType,
    Module,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    union_of,
)
from staticpy.ops import FUNCTIONS, REGISTRY, Effect
from tests.support.graphs import build, outcome, reread
from tests.support.interpreter import run
from tests.support.memory import check, graph_of

F8, F4 = np.dtype("float64"), np.dtype("float32")
NAN = float("nan")

KEYS: list[list[Any]] = [
    [],
    [2, 1, 2, 0, 1],
    [True, 1, 1.0, False],
    [0.0, -0.0, NAN, 1.0, NAN, -1.0],
    ["b", "a", "B", ""],
    [(1, "b"), (1, "a"), (0, "z")],
    [np.float32(2), 1, np.int8(1), 2.0],
    [1, "a"],
    [None, None],
    [1j, 2j],
    [np.arange(2), np.arange(2)],
    [np.arange(1), np.arange(1)],
    [[2], [1, 5], [1]],
]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("keys", KEYS, ids=str)
def test_sorted_by_keys(keys: list[Any], reverse: bool) -> None:
    def plain(items: list[Any], known: list[Any]) -> list[Any]:
        return sorted(items, key=lambda item: known[items.index(item)], reverse=reverse)

    items = [f"item {i}" for i in range(len(keys))]
    check("list.sorted_by", plain, items, keys, reverse=reverse)


def test_sorted_items_are_the_same_objects_in_a_new_list() -> None:
    items, keys = [np.ones(2), np.zeros(2)], [2, 1]
    function = graph_of("list.sorted_by", (items, keys), {"reverse": False})
    (found,) = run(function, items, keys)
    assert found[0] is items[1]
    assert found[1] is items[0]
    assert (len(items), keys) == (2, [2, 1])


SUMS: list[tuple[list[Any], Any]] = [
    ([], 0),
    ([], -0.0),
    ([1, 2, 10**30], 0),
    ([1, 2], True),
    ([True, True], False),
    ([0.1] * 11, 0),
    ([-0.0], -0.0),
    ([1e308, 1e308, -1e308], 0.0),
    ([1, 2.5, 1j, True], 0),
    ([np.int8(100), np.int8(27)], 0),
    ([np.float32(1), 2.5], np.float32(3)),
    ([np.arange(3), np.ones(3)], 0),
    ([np.arange(3), np.ones((2, 1))], 0),
    ([np.arange(3), np.arange(2)], 0),
]


@pytest.mark.parametrize(("items", "start"), SUMS, ids=str)
def test_sum(items: list[Any], start: Any) -> None:
    check("list.sum", sum, items, start)


VECTOR = TensorType(F8, ("n",))
TYPES: list[tuple[Type, Type, Type]] = [
    (NEVER, INT, INT),
    (INT, INT, INT),
    (BOOL, INT, INT),
    (INT, BOOL, union_of((BOOL, INT))),
    (FLOAT, INT, union_of((FLOAT, INT))),
    (FLOAT, FLOAT, FLOAT),
    (ScalarType(F4), FLOAT, union_of((FLOAT, ScalarType(F4)))),
    (VECTOR, INT, union_of((INT, TensorType(F8, ("?",))))),
]


@pytest.mark.parametrize(("item", "start", "expected"), TYPES, ids=str)
def test_types_of_sums(item: Type, start: Type, expected: Type) -> None:
    assert REGISTRY["list.sum"].result_types((ListType(item), start), {}) == (expected,)


REFUSED: list[tuple[str, tuple[Type, ...], dict[str, Any]]] = [
    ("list.sum", (ListType(STR), INT), {}),
    ("list.sum", (ListType(OBJECT), INT), {}),
    ("list.sum", (ListType(TupleType((INT,))), TupleType(())), {}),
    ("list.sum", (ListType(INT), VECTOR), {}),
    ("list.sum", (INT, INT), {}),
    ("list.sorted_by", (ListType(INT), INT), {"reverse": False}),
    ("list.sorted_by", (INT, ListType(INT)), {"reverse": False}),
]


@pytest.mark.parametrize(("name", "types", "attrs"), REFUSED, ids=str)
def test_type_rules_refuse(name: str, types: tuple[Type, ...], attrs: dict[str, Any]) -> None:
    with pytest.raises(DiagnosticError):
        REGISTRY[name].result_types(types, attrs)


def test_effects() -> None:
    sure = REGISTRY["list.sum"].effects_of((ListType(INT), INT), {})
    assert sure == Effect.NONE
    unsure = REGISTRY["list.sum"].effects_of((ListType(FLOAT), INT), {})
    assert unsure == Effect.RAISES | Effect.WARNS
    keys = (ListType(INT), ListType(OBJECT))
    assert Effect.WRITES in REGISTRY["list.sorted_by"].effects_of(keys, {"reverse": False})


def test_text_form() -> None:
    for name, operands, attrs in (
        ("list.sorted_by", ([1], [2]), {"reverse": True}),
        ("list.sum", ([1.5], 0), {}),
    ):
        function = graph_of(name, operands, attrs)
        module = Module("f")
        module.add(function)
        assert str(reread(function).block.operations[0].results[0].type) == str(
            function.block.operations[0].results[0].type
        )


ARRAYS: list[tuple[Any, ...]] = [
    ([1.5, 2.5],),
    ([1, 2, 3],),
    ([[1.0, 2.0], [3.0, 4.0]],),
    ([1.0, 2.0], [3.0, 4.0]),
    ([1.0], np.ones(1)),
    ([1], [2.5]),
]


@pytest.mark.parametrize("operands", ARRAYS, ids=str)
@pytest.mark.parametrize("dtype", [None, np.dtype("float32"), np.dtype("int8")], ids=str)
def test_arrays_of_run_time_lists(operands: tuple[Any, ...], dtype: np.dtype | None) -> None:
    def of(make: Any, items: tuple[Any, ...]) -> Any:
        return make(items[0] if len(items) == 1 else list(items), dtype=dtype)

    function = build(lambda *items: of(FUNCTIONS[np.array], items), *operands, symbolic=False)
    expected = outcome(lambda: of(np.array, operands))
    assert outcome(lambda: run(function, *operands)[0]) == expected


def test_a_number_that_does_not_fit_the_array() -> None:
    operands = ([300], np.ones(1, np.int8))

    def made(make: Any, items: tuple[Any, ...]) -> Any:
        return make(list(items), dtype=np.int8)

    function = build(lambda *items: made(FUNCTIONS[np.array], items), *operands, symbolic=False)
    for call in (lambda: made(np.array, operands), lambda: run(function, *operands)):
        with pytest.raises(OverflowError):
            call()


def test_functions_of_run_time_lists() -> None:
    items = [1.0, 3.0, 2.0]
    for function in (np.sum, np.sort, np.cumsum, np.asarray, np.tanh):
        graph = build(
            lambda items, f=function: FUNCTIONS[f](items), [1.0, 3.0, 2.0], symbolic=False
        )
        expected = outcome(lambda f=function: f(items))
        assert outcome(lambda g=graph: run(g, items)[0]) == expected
