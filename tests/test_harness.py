"""The harness sees every kind of difference that there may be between a route and CPython."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, Outcome, differences, observe
from tests.support.routes import ROUTES, routes_of
from tests.support.walking import copied
from tests.support.world import World


class Point:
    """An object with attributes."""

    count = 0

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y


class Slotted:
    """An object without a dict."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x


class Pair(NamedTuple):
    """A named tuple."""

    x: Any
    y: Any


class Other(NamedTuple):
    """Another named tuple with the same fields."""

    x: Any
    y: Any


@dataclass
class Record:
    """A dataclass."""

    x: Any
    items: list[Any]


class Color(Enum):
    """An enum."""

    RED = 1
    BLUE = 2


class UserError(Exception):
    """An exception of the program."""


KEPT = np.zeros(2)
TRACE: list[Any] = []
RNG = np.random.default_rng(0)


def raising(error: BaseException, cause: BaseException | None = None) -> Any:
    raise error from cause


def after(result: Callable[..., Any], *effects: Callable[..., Any]) -> Callable[..., Any]:
    """A function that has effects on its arguments, in order, and then returns a result."""

    def run(*args: Any) -> Any:
        for effect in effects:
            effect(*args)
        return result(*args)

    return run


def doing(statement: str) -> Callable[..., Any]:
    """The statement as a function of ``x``, of ``y``, which is a list, and of the object ``p``."""
    made: dict[str, Any] = {}
    exec(f"def effect(x, y, p):\n    {statement}", globals(), made)
    effect: Callable[..., Any] = made["effect"]
    return effect


def giving(expression: str) -> Callable[..., Any]:
    """The value of an expression as a function."""
    return doing(f"return {expression}")


def _self_loop(inside: Any) -> list[Any]:
    items = [inside]
    items.append(items)
    return items


UNLIKE: dict[str, tuple[str, str]] = {
    "value": ("x + 1", "x + 2"),
    "sign of zero": ("x[1]", "-x[1]"),
    "sign of zero of a Python float": ("0.0", "-0.0"),
    "sign of zero of an imaginary part": ("complex(1, 0.0)", "complex(1, -0.0)"),
    "sign of zero in an array of complex numbers": ("x * 1j", "x * 1j + 0j"),
    "large int": ("2**70", "2**70 + 1"),
    "very large int": ("2**70000", "2**70000 + 1"),
    "Python or NumPy scalar": ("x[0]", "float(x[0])"),
    "scalar or 0-d array": ("x[0]", "np.array(x[0])"),
    "bool or int": ("True", "1"),
    "int or float": ("1", "1.0"),
    "NumPy bool or bool": ("x[0] > 0", "bool(x[0] > 0)"),
    "dtype": ("x", "x.astype(np.float32)"),
    "dtype of integers": ("np.arange(2)", "np.arange(2, dtype=np.int32)"),
    "shape": ("x + 1", "(x + 1)[None]"),
    "shape of an empty array": ("np.zeros((0, 2))", "np.zeros((2, 0))"),
    "structure": ("(1, 2)", "[1, 2]"),
    "class of a tuple": ("Pair(1, 2)", "(1, 2)"),
    "class of a named tuple": ("Pair(1, 2)", "Other(1, 2)"),
    "length": ("(1, 2)", "(1, 2, 3)"),
    "order of keys": ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}"),
    "kind of key": ("{1: 2}", "{1.0: 2}"),
    "value of a key": ("{1: 2}", "{1: 3}"),
    "set": ("{1, 2}", "{1, 3}"),
    "None": ("None", "0"),
    "text": ("'a'", "'b'"),
    "bytes or text": ("b'a'", "'a'"),
    "range": ("range(3)", "range(0, 3, 2)"),
    "slice": ("slice(1, 2)", "slice(1, 2, 1)"),
    "enum member": ("Color.RED", "Color.BLUE"),
    "enum member or value": ("Color.RED", "1"),
    "class": ("Point", "Pair"),
    "copy of an argument": ("x", "x.copy()"),
    "alias of an argument": ("x + 0.0", "x"),
    "view of an argument": ("x", "x[:]"),
    "place of a view": ("(x[:1], x)", "((x * 0 + 1)[:1], x)"),
    "results that share": ("(x + 1, x + 1)", "(x + 1,) * 2"),
    "not fresh": ("np.zeros(2)", "KEPT"),
    "list that is an argument": ("y", "list(y)"),
    "list that is not an argument": ("list(y)", "y"),
    "lists that are one": ("[[0], [0]]", "[[0]] * 2"),
    "dicts that are one": ("({}, {})", "({},) * 2"),
    "object that is an argument": ("p", "Point(p.x, p.y)"),
    "objects that are one": ("(Point(1, 2), Point(1, 2))", "(Point(1, 2),) * 2"),
    "attribute of an object": ("Point(1, 2)", "Point(1, 3)"),
    "box of an attribute": ("Point(1, 2)", "Point(1, 2.0)"),
    "array in an attribute": ("Point(x, x)", "Point(x, x + 0)"),
    "slot of an object": ("Slotted(1)", "Slotted(2)"),
    "field of a dataclass": ("Record(1, [])", "Record(1, [2])"),
    "class of an object": ("Point(1, 2)", "Pair(1, 2)"),
    "cycle": ("_self_loop(1)", "_self_loop([1])"),
    "no cycle": ("_self_loop(1)", "[1, [1]]"),
    "read-only": ("x * 1", "np.broadcast_to(x * 1, (2,))"),
    "exception class": ("raising(IndexError())", "raising(LookupError())"),
    "no exception": ("raising(IndexError())", "1"),
    "exception instead of a result": ("1", "1 // 0"),
    "exception as a value": ("ValueError(1)", "ValueError(2)"),
    "message of an exception": ("raising(UserError('a'))", "raising(UserError('b'))"),
    "message of a builtin's exception": ("raising(KeyError('a'))", "raising(KeyError('b'))"),
    "attribute of an exception": ("raising(UserError(1))", "raising(UserError(1.0))"),
    "cause of an exception": (
        "raising(UserError(1), KeyError(1))",
        "raising(UserError(1), KeyError(2))",
    ),
    "no cause": ("raising(UserError(1), KeyError(1))", "raising(UserError(1))"),
}
"""By what differs: an expression, and one that isn't the same."""

UNLIKE_EFFECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "argument modified": ((), ("x *= 2",)),
    "argument not modified": (("x *= 2",), ()),
    "element of an argument": (("x[0] = 5.0",), ("x[1] = 5.0",)),
    "list modified": ((), ("y.append(1)",)),
    "list modified otherwise": (("y.append(1)",), ("y.append(1.0)",)),
    "attribute modified": ((), ("p.x = 5",)),
    "attribute added": ((), ("p.z = 5",)),
    "attribute deleted": (("del p.x",), ()),
    "order of attributes": (("p.a = p.b = 1",), ("p.b = p.a = 1",)),
    "alias made": (("p.x = y",), ("p.x = list(y)",)),
    "array in an attribute modified": (("p.y[0] = 4.0",), ()),
    "module's list modified": ((), ("TRACE.append(1)",)),
    "module's array modified": ((), ("KEPT[0] = 1.0",)),
    "class modified": ((), ("Point.count += 1",)),
    "argument kept": ((), ("TRACE.append(y)",)),
    "numbers drawn": ((), ("RNG.random()",)),
    "printed": (("print(1)",), ("print(2)",)),
    "printed number": (("print(1)",), ("print(1.0)",)),
    "not printed": (("print(1)",), ()),
    "order of what is printed": (("print(1)", "print(2)"), ("print(2)", "print(1)")),
    "modified before an exception": (
        ("x[0] = 5.0", "raising(KeyError())"),
        ("raising(KeyError())",),
    ),
    "printed before an exception": (("print(1)", "raising(KeyError())"), ("raising(KeyError())",)),
    "list modified before an exception": (
        ("y.append(1)", "raising(KeyError())"),
        ("y.append(2)", "raising(KeyError())"),
    ),
}
"""By what differs: some statements, and others that don't do the same."""

CALL = Call((np.array([1.0, -0.0]), [1, 2], Point(1, np.ones(2))))


@pytest.mark.parametrize("what", UNLIKE)
def test_a_difference_is_seen(what: str) -> None:
    function, other = map(giving, UNLIKE[what])
    assert differences(function, [CALL], {"same": giving(UNLIKE[what][0])}) == []
    assert differences(function, [CALL], {"other": other}) != []


@pytest.mark.parametrize("what", UNLIKE_EFFECTS)
def test_another_effect_is_seen(what: str) -> None:
    texts, others = UNLIKE_EFFECTS[what]
    result = giving("x.sum()")
    function, same = (with_effects(result, texts) for _ in range(2))
    other = with_effects(result, others)
    assert differences(function, [CALL], {"same": same}) == []
    assert differences(function, [CALL], {"other": other}) != []


def with_effects(result: Callable[..., Any], texts: tuple[str, ...]) -> Callable[..., Any]:
    return after(result, *map(doing, texts))


ALIKE: dict[str, tuple[str, str]] = {
    "NaN and another NaN": ("np.sqrt(-x[:1])", "-np.sqrt(-x[:1])"),
    "text of a run-time error": ("[1][5]", "(1,)[5]"),
    "address in a text": ("repr(Point(1, 2))", "repr(Point(1, 2))"),
    "equal tuples": ("((1, 2), (1, 2))", "((1, 2),) * 2"),
}


@pytest.mark.parametrize("what", ALIKE)
def test_what_no_program_can_tell_apart(what: str) -> None:
    function, other = map(giving, ALIKE[what])
    assert differences(function, [CALL], {"other": other}) == []


def test_only_the_second_call_differs() -> None:
    calls: list[int] = []

    def forgetful(x: Any, y: Any, p: Any) -> Any:
        calls.append(1)
        return len(calls) == 2

    found = differences(giving("False"), [CALL], {"other": forgetful})
    assert found
    assert "in the second call" in found[0]


def test_a_refusal_is_a_difference() -> None:
    def refusing(x: Any, y: Any, p: Any) -> Any:
        raise staticpy.CompileError([])

    (found,) = differences(giving("1"), [CALL], {"other": refusing})
    assert "refused" in found


def test_each_route_gets_the_arguments_as_they_were() -> None:
    x, items, point = copied(CALL.args)
    call = Call((x, items, point))
    function = with_effects(giving("y"), ("x += 1", "y.append(p)", "p.x = y", "TRACE.append(1)"))
    assert differences(function, [call], {"one": function, "two": function}) == []
    assert list(x) == [1.0, 0.0]
    assert items == [1, 2]
    assert point.x == 1
    assert TRACE == []


def test_copies_of_views_share_memory() -> None:
    x = np.arange(6.0)
    m = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    frozen = x[3:]
    frozen.flags.writeable = False
    tree = {"x": x, "views": [x[::-2], x[1:].reshape(5, 1), frozen], "point": Point(m.T, m[:, 1])}
    copy = copied(tree)
    first, second, third = copy["views"]
    assert not np.shares_memory(copy["x"], x)
    copy["x"][:] = 100.0 + x
    assert first.tolist() == [105.0, 103.0, 101.0]
    assert second.tolist() == [[101.0], [102.0], [103.0], [104.0], [105.0]]
    assert third.tolist() == [103.0, 104.0, 105.0]
    assert not third.flags.writeable
    copy["point"].x[1, 0] = -1.0
    assert copy["point"].y.tolist() == [-1.0, 4.0]
    assert m[0, 1] == 1.0


def test_copies_keep_aliases_and_cycles() -> None:
    items: list[Any] = [KEPT, KEPT, None]
    items[2] = items
    copy = copied((items, items, np, Point, Color.RED))
    assert copy[0] is copy[1] is copy[0][2]
    assert copy[0][0] is copy[0][1] is not KEPT
    assert copy[2:] == (np, Point, Color.RED)


def test_the_world_is_put_back() -> None:
    world = World(giving("x"))
    outcome = observe(
        with_effects(giving("1"), ("TRACE.append(1)", "KEPT[0] = 1.0", "Point.count = 3")),
        CALL,
        world,
    )
    assert isinstance(outcome, Outcome)
    assert (TRACE, KEPT.tolist(), Point.count) == ([], [0.0, 0.0], 0)


# --- the routes -----------------------------------------------------------------------------------


def halving(n: int, x: np.ndarray) -> Any:
    while n > 1:
        n = n // 2
        x = x + n
    return n, x, x[3]


def test_every_route_runs() -> None:
    calls = [Call((9, np.ones(4))), Call((1, np.ones((4, 2)))), Call((9, np.ones(2)))]
    routes = routes_of(halving)
    assert set(routes) == set(ROUTES)
    assert {"eager", "graph", "text", "without inline", "without passes"} <= set(routes)
    assert differences(halving, calls, routes) == []


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_does_what_its_function_does(route: str) -> None:
    def other(n: int, x: np.ndarray) -> Any:
        return n, x, 1

    found = differences(halving, [Call((9, np.ones(4)))], routes_of(other, [route]))
    assert found
    assert found[0].startswith(route)
