"""Entry functions: the user's parameters, guards in order, outputs, MISS where nothing fits."""

from __future__ import annotations

import gc
import linecache
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from staticpy.frontend import Analysis, Argument, Guard, Input, Instance, Object, Path, Result
from staticpy.ir import FLOAT, INT, OBJECT, Module, TensorType
from staticpy.runtime.entry import MISS, groups_of, make_binder, make_entry
from staticpy.runtime.parameters import parameters_of

F64 = np.dtype("float64")
X, W = Path(Argument("x")), Path(Argument("w"))
FIRST = Result(0)
VECTOR = TensorType(F64, ("n",))


def entry_for(
    function: Callable[..., Any],
    inputs: list[Input],
    guards: list[Guard] | None = None,
    output: Any = FIRST,
    run: Callable[..., Any] = lambda *leaves: leaves,
    result_count: int = 2,
) -> Callable[..., Any]:
    analysis = Analysis(Module("main"), tuple(inputs), tuple(guards or ()), output)
    return make_entry(function, parameters_of(function), analysis, run, result_count)  # type: ignore[arg-type]


def two(x, w):  # type: ignore[no-untyped-def]
    raise AssertionError("never run")


def test_inputs_are_passed_in_order() -> None:
    entry = entry_for(two, [Input(W, FLOAT), Input(X, INT)], output=(Result(0), Result(1)))
    assert entry(1, 2.0) == (2.0, 1)
    assert entry(w=2.0, x=1) == (2.0, 1)


def test_another_type_is_a_miss() -> None:
    entry = entry_for(two, [Input(X, FLOAT), Input(W, VECTOR)])
    assert entry(1.0, np.ones(3)) == 1.0
    for x, w in [(1, np.ones(3)), (1.0, np.ones((3, 1))), (1.0, [1.0]), (None, None)]:
        assert entry(x, w) is MISS


def test_equal_symbols_are_equal_sizes() -> None:
    entry = entry_for(two, [Input(X, VECTOR), Input(W, VECTOR)], output=None)
    assert entry(np.ones(4), np.ones(4)) is None
    assert entry(np.ones(4), np.ones(1)) is MISS


def test_guards_protect_the_reads_after_them() -> None:
    guards = [Guard(X, "dict", ("w",)), Guard(X.item("w"), "list", 2)]
    entry = entry_for(two, [Input(X.item("w").item(1), FLOAT)], guards)
    assert entry({"w": [0, 2.0]}, None) == 2.0
    for x in [{"w": [2.0]}, {"v": [0, 2.0]}, [], None, {"w": None}, {"w": [0, 2]}]:
        assert entry(x, None) is MISS


def test_a_read_that_fails_is_a_miss() -> None:
    table: dict[str, float] = {}
    inputs = [Input(Path(Object(table)).item("scale"), FLOAT)]
    entry = entry_for(two, inputs)
    assert entry(0, 0) is MISS
    table["scale"] = 3.0
    assert entry(0, 0) == 3.0
    by_attribute = entry_for(two, [Input(X.attr("real").attr("missing"), FLOAT)])
    assert by_attribute(1, 0) is MISS


def test_lacks_guards_what_would_shadow() -> None:
    namespace: dict[str, Any] = {}
    guards = [
        Guard(Path(Object(namespace)).item("abs"), "lacks", None),
        Guard(X.attr("method"), "lacks", None),
    ]
    entry = entry_for(two, [], guards, output=None)
    holder = Holder()
    assert entry(holder, 0) is None
    assert entry(3, 0) is None
    holder.method = 1  # type: ignore[method-assign, assignment]
    assert entry(holder, 0) is MISS
    namespace["abs"] = abs
    assert entry(3, 0) is MISS


def make_cell(value: Any = None, *, empty: bool = False) -> Any:
    if empty:
        del value
    return (lambda: value).__closure__[0]  # type: ignore[index, name-defined]


def test_cells_are_read_at_each_call() -> None:
    cell = make_cell(1.0)
    entry = entry_for(two, [Input(Path(Object(cell)).attr("cell_contents"), FLOAT)])
    assert entry(0, 0) == 1.0
    cell.cell_contents = 2.0
    assert entry(0, 0) == 2.0
    del cell.cell_contents
    assert entry(0, 0) is MISS


class Pair(NamedTuple):
    left: Any
    right: Any


OUTPUTS: list[tuple[Any, Any]] = [
    (Result(1), 20),
    ((), ()),
    ((Result(0),), (10,)),
    ([], []),
    ([Result(1), Result(0)], [20, 10]),
    ({"a": Result(0), 2: (None, "s", [Result(1)])}, {"a": 10, 2: (None, "s", [20])}),
    (None, None),
    (-0.0, -0.0),
    (np.dtype("f4"), np.dtype("f4")),
    (set(), set()),
    ({3}, {3}),
    (frozenset(), frozenset()),
    (frozenset({3}), frozenset({3})),
    (slice(Result(0), None, Result(1)), slice(10, None, 20)),
    (Pair(Result(1), [Result(0)]), Pair(20, [10])),
    ((Result(0), (Result(1),)), (10, (20,))),
]


@pytest.mark.parametrize(("output", "expected"), OUTPUTS)
def test_output_is_rebuilt(output: Any, expected: Any) -> None:
    result = entry_for(two, [], output=output, run=lambda: (10, 20))(0, 0)
    assert (type(result), repr(result)) == (type(expected), repr(expected))


def test_a_single_result_comes_bare() -> None:
    entry = entry_for(two, [], output=[(FIRST,)], run=lambda: (1, 2), result_count=1)
    assert entry(0, 0) == [((1, 2),)]


def test_containers_are_new_at_each_call() -> None:
    entry = entry_for(two, [], output=[[]], run=tuple)
    assert entry(0, 0)[0] is not entry(0, 0)[0]


def test_a_container_at_two_places_is_one_object() -> None:
    shared: list[Any] = [Result(0)]
    result = entry_for(two, [], output=(shared, {"a": shared}, [Result(0)]), run=lambda: (1, 2))
    first, second = result(0, 0), result(0, 0)
    assert first == ([1], {"a": [1]}, [1])
    assert first[0] is first[1]["a"]
    assert first[0] is not first[2]
    assert first[0] is not second[0]


def test_objects_from_outside_are_returned_themselves() -> None:
    live: list[Any] = [[1], 2]
    output = (Instance(X, None), [Instance(X.item(0), None)], Instance(Path(Object(live)), live))
    entry = entry_for(two, [], output=output)
    given = [[3], 4]
    first, (second,), third = entry(given, 0)
    assert first is given
    assert second is given[0]
    assert third is live
    assert entry([], 0) is MISS


def test_objects_are_passed_as_they_are() -> None:
    live = {"a": 1}
    passed: list[Any] = []
    inputs = [Input(X, OBJECT), Input(X.item(0), OBJECT), Input(Path(Object(live)), OBJECT)]
    entry = entry_for(two, inputs, run=lambda *leaves: passed.extend(leaves), output=None)
    given = [object()]
    assert entry(given, 0) is None
    assert passed[0] is given
    assert passed[1] is given[0]
    assert passed[2] is live


def test_same_and_distinct_objects() -> None:
    other: list[Any] = []
    same = entry_for(two, [], [Guard(W, "same", X)], output=None)
    apart = entry_for(two, [], [Guard(W, "distinct", (X, Path(Object(other))))], output=None)
    shared: list[Any] = []
    assert same(shared, shared) is None
    assert same([], []) is MISS
    assert apart([], []) is None
    assert apart(shared, shared) is MISS
    assert apart([], other) is MISS
    assert apart(other, []) is None


def test_groups_of_distinct_objects() -> None:
    a, b, c, d = (Path(Argument(name)) for name in "abcd")
    chain = [Guard(b, "distinct", (a,)), Guard(c, "distinct", (a, b))]
    assert groups_of(chain) == [[a, b, c]]
    star = [Guard(d, "distinct", (a, b))]
    assert groups_of([*chain, *star]) == [[a, b, c], [a, d], [b, d]]


def test_exceptions_of_the_code_pass_through() -> None:
    def run() -> tuple[Any, ...]:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        entry_for(two, [], run=run)(0, 0)


DEFAULT = object()


def all_kinds(a, /, b, c=DEFAULT, *args, d, e=DEFAULT, **kwargs):  # type: ignore[no-untyped-def]
    return {"a": a, "b": b, "c": c, "args": args, "d": d, "e": e, "kwargs": kwargs}


def keyword_only(*, d, e=2):  # type: ignore[no-untyped-def]
    return {"d": d, "e": e}


def awkward(sp_, sp_MISS, type, len=len):  # type: ignore[no-untyped-def] # noqa: A002
    return {"sp_": sp_, "sp_MISS": sp_MISS, "type": type, "len": len}


def entry(entry, é=1):  # type: ignore[no-untyped-def] # noqa: PLC2401
    return {"entry": entry, "é": é}


class Holder:
    def method(self, __private=1):  # type: ignore[no-untyped-def] # noqa: PYI063
        return {"self": self, "_Holder__private": __private}


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (all_kinds, (1, 2), {"d": 3}),
    (all_kinds, (1, 2, 3, 4, 5), {"d": 6, "e": 7, "a": 8}),
    (all_kinds, (1,), {"b": 2, "d": 3}),
    (all_kinds, (), {}),
    (all_kinds, (1,), {}),
    (all_kinds, (1, 2), {"b": 1, "d": 3}),
    (all_kinds, (), {"a": 1, "b": 2, "d": 3}),
    (keyword_only, (), {"d": 1}),
    (keyword_only, (1,), {"d": 1}),
    (keyword_only, (), {}),
    (keyword_only, (), {"d": 1, "f": 2}),
    (awkward, (1, 2, 3), {}),
    (awkward, (1, 2, 3, 4, 5), {}),
    (entry, (1,), {}),
    (Holder.method, (1, 2), {}),
    (Holder.method, (), {}),
    (lambda x, y=2: {"x": x, "y": y}, (1,), {}),
    (lambda x: {"x": x}, (), {}),
]


def outcome(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """What a call gives: its result, or the text of its TypeError."""
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize(("function", "args", "kwargs"), CALLS)
def test_arguments_bind_as_in_a_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    binder = make_binder(function, parameters_of(function))
    assert outcome(binder, args, kwargs) == outcome(function, args, kwargs)


def test_text_is_shown_while_the_entry_lives() -> None:
    made = entry_for(two, [Input(X, FLOAT)])
    filename = made.__code__.co_filename
    assert "def entry(x, w):" in linecache.getline(filename, 1)
    del made
    gc.collect()
    assert filename not in linecache.cache
