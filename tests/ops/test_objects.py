"""The ops of objects, exceptions and output, against Python."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from staticpy.backends import get_backend
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    NONE,
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
from staticpy.ops import REGISTRY, Effect
from tests.support.graphs import identity_of
from tests.support.interpreter import run
from tests.support.memory import check, graph_of


@dataclass(frozen=True)
class Frozen:
    """An instance that writes only by ``object.__setattr__``."""

    a: int = 1


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (([1], 2), {"method": "append"}),
    (([1, 2], 0, 5), {"method": "__setitem__"}),
    (([1, 2], slice(0, 1, None), (5, 6)), {"method": "__setitem__"}),
    (({"a": 1}, "b"), {"method": "__delitem__"}),
    (({1, 2}, 3), {"method": "add"}),
    (({1, 2}, 3), {"method": "remove"}),
    (([1],), {"method": "nothing"}),
    (([1, 2],), {"method": "pop", "result": INT}),
    (([1, 2], 1), {"method": "__getitem__", "result": INT}),
    (([],), {"method": "pop", "result": INT}),
]


@pytest.mark.parametrize(("operands", "attrs"), CALLS, ids=str)
def test_methods(operands: tuple[Any, ...], attrs: dict[str, Any]) -> None:
    check("object.call", lambda o, *a: getattr(o, attrs["method"])(*a), *operands, **attrs)


@pytest.mark.parametrize("name", ["a", "no identifier", "class", "µ", "é"])
def test_attributes(name: str) -> None:
    for value in (SimpleNamespace(a=1), SimpleNamespace(**{name: 2}), [1]):
        check("object.setattr", lambda o, v: setattr(o, name, v), value, 5, name=name)
        check("object.delattr", lambda o: delattr(o, name), value, name=name)
        check("object.getattr", lambda o: getattr(o, name), value, name=name, type=INT)


def test_slots_of_frozen_instances() -> None:
    check("object.set_slot", lambda o, v: object.__setattr__(o, "a", v), Frozen(), 7, name="a")
    with pytest.raises(FrozenInstanceError):
        REGISTRY["object.setattr"].kernel(Frozen(), 7, name="a")  # type: ignore[misc]


def test_construction() -> None:
    check("object.new", object.__new__, Frozen)
    for names in ((), ("a",), ("class",), ("function",)):
        args = (1,) if names else ()

        def plain(class_: Any, *values: Any, names: tuple[str, ...] = names) -> Any:
            return class_(**dict(zip(names, values, strict=True)))

        check("object.construct", plain, SimpleNamespace, *args, names=names)
    check("object.construct", lambda c, v: c(v), Frozen, 3, names=())
    check("object.construct", lambda c, v: c(b=v), Frozen, 3, names=("b",))
    check("slice.make", slice, 1, None, 2)


def test_truth() -> None:
    for value in ([], [0], {}, {"a": 1}, SimpleNamespace(), np.zeros(2), np.zeros(1)):
        check("object.truth", bool, value)


def test_a_cast_gives_the_object_itself() -> None:
    function = graph_of("object.cast", ([1],), {"type": OBJECT})
    given = [1]
    assert run(function, given)[0] is given


# --- comparison -----------------------------------------------------------------------------------

_VALUES: tuple[Any, ...] = (1, 1.0, None, "a", (1, 2), [1], float("nan"), np.ones(2), np.float64(1))


def test_identity_and_equality() -> None:
    for left in _VALUES:
        for right in _VALUES:
            check("object.same_or_equal", lambda a, b: [a] == [b], left, right)
    array = np.ones(2)
    module = Module("f")
    module.add(graph_of("object.is", (array, array), {}))
    executable = get_backend("python_source").compile(module)
    assert executable(array, array) is True
    assert executable(array, array.copy()) is False


_ORDERED: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@pytest.mark.parametrize("symbol", _ORDERED)
def test_order_of_tuples(symbol: str) -> None:
    tuples: tuple[Any, ...] = ((1, 2), (1, 2.5), (1,), (), ("a", 1), (None, 1), (1, 1j))
    tuples += ((np.float32(1), 2), (1, np.float64(2)))
    for left in tuples:
        for right in tuples:
            check("object.compare", _ORDERED[symbol], left, right, symbol=symbol)


def test_order_whose_type_depends_on_values_is_refused() -> None:
    compare = REGISTRY["object.compare"]
    pair = TupleType((INT, TensorType(np.dtype("float64"), (3,))))
    for type_ in (pair, TupleType((OBJECT,))):
        with pytest.raises(DiagnosticError):
            compare.result_types((type_, type_), {"symbol": "<"})
    mixed = TupleType((INT, ScalarType(np.dtype("float64"))))
    expected = union_of((BOOL, ScalarType(np.dtype("bool"))))
    assert compare.result_types((mixed, mixed), {"symbol": "<"}) == (expected,)


# --- exceptions and output ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ValueError", "KeyError", "OSError", "UnicodeDecodeError"])
def test_exceptions_are_made(name: str) -> None:
    function = graph_of("exception.make", ("text", 2), {"name": name})
    try:
        expected: Any = getattr(__builtins__, name, None) or eval(name)
        made = expected("text", 2)
    except TypeError:
        with pytest.raises(TypeError):
            run(function, "text", 2)
        return
    (found,) = run(function, "text", 2)
    assert (type(found), found.args) == (type(made), made.args)


def _raised(operands: tuple[Any, ...], attrs: dict[str, Any]) -> list[Any]:
    function = graph_of("raise_value", operands, attrs)
    module = Module("f")
    module.add(function)
    found: list[Any] = []
    for call in (lambda *v: run(function, *v), get_backend("python_source").compile(module)):
        error = _error_of(lambda: call(*operands))  # noqa: B023
        found.append((type(error), error.args, error.__cause__, error.__suppress_context__))
    return found


def _error_of(action: Callable[[], object]) -> BaseException:
    try:
        action()
    except BaseException as error:  # whatever was raised is what the test looks at
        return error
    raise AssertionError("nothing was raised")


def test_raising() -> None:
    cause = KeyError("x")
    error = ValueError("text")
    assert _raised((error,), {"has_cause": False}) == [(ValueError, ("text",), None, False)] * 2
    assert _raised((KeyError,), {"has_cause": False}) == [(KeyError, (), None, False)] * 2
    found = _raised((ValueError("a"), cause), {"has_cause": True})
    assert found == [(ValueError, ("a",), cause, True)] * 2
    found = _raised((ValueError("a"), None), {"has_cause": True})
    assert found == [(ValueError, ("a",), None, True)] * 2
    assert [each[0] for each in _raised((slice(1),), {"has_cause": False})] == [TypeError] * 2


PRINTED: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((1, 2.5, None, "a'b"), {}),
    ((np.arange(3), (1, "x"), np.float32(2)), {"sep": "\n", "end": "."}),
    ((1,), {"end": ""}),
]


@pytest.mark.parametrize(("operands", "attrs"), PRINTED, ids=str)
def test_print(operands: Any, attrs: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    print(*operands, **attrs)
    expected = capsys.readouterr().out
    function = graph_of("print", operands, attrs)
    run(function, *operands)
    assert capsys.readouterr().out == expected
    module = Module("f")
    module.add(function)
    get_backend("python_source").compile(module)(*operands)
    assert capsys.readouterr().out == expected


REFUSED: list[tuple[str, tuple[Type, ...], dict[str, Any]]] = [
    ("object.call", (INT,), {"method": "append"}),
    ("object.setattr", (STR, INT), {"name": "a"}),
    ("object.construct", (OBJECT,), {"names": ("a",)}),
    ("exception.make", (STR,), {"name": "print"}),
    ("exception.make", (STR,), {"name": "NoError"}),
    ("raise_value", (OBJECT,), {"has_cause": True}),
    ("raise_value", (NONE,), {"has_cause": False}),
    ("raise_value", (OBJECT, INT), {"has_cause": True}),
    ("reraise", (INT,), {}),
]


@pytest.mark.parametrize(("name", "types", "attrs"), REFUSED, ids=str)
def test_type_rules_refuse(name: str, types: tuple[Type, ...], attrs: dict[str, Any]) -> None:
    with pytest.raises(DiagnosticError):
        REGISTRY[name].result_types(types, attrs)


def test_effects() -> None:
    both = Effect.WRITES | Effect.RAISES
    assert REGISTRY["object.truth"].effects_of((OBJECT,), {}) == both
    assert REGISTRY["object.truth"].effects_of((ListType(INT),), {}) == Effect.NONE
    assert REGISTRY["object.cast"].effects_of((OBJECT,), {"type": FLOAT}) == Effect.NONE
    assert REGISTRY["exception.make"].effects_of((), {"name": "ValueError"}) == Effect.NONE
    assert REGISTRY["exception.make"].effects_of((), {"name": "OSError"}) == Effect.RAISES
    assert REGISTRY["print"].effects_of((INT,), {}) == both


def test_results_keep_their_box() -> None:
    value = np.float32(2)
    function = graph_of("object.cast", (value,), {"type": ScalarType(np.dtype("float32"))})
    assert identity_of(run(function, value)[0]) == identity_of(value)
