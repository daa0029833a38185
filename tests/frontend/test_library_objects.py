"""Objects of Python's library that the language has no form for: each use of one is what CPython
does, or refused; never taken for an object without the method.
"""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import fnmatch
import fractions
import heapq
import textwrap
import types
from collections.abc import Callable
from typing import Any

import pytest

import staticpy

OBJECTS: dict[str, Callable[[], Any]] = {
    "bytearray": lambda: bytearray(b"abc"),
    "array": lambda: array.array("d", [1.0, 2.0]),
    "deque": lambda: collections.deque([1, 2]),
    "UserList": lambda: collections.UserList([1, 2]),
    "UserDict": lambda: collections.UserDict({0: 1}),
    "ChainMap": lambda: collections.ChainMap({0: 1}),
    "mappingproxy": lambda: types.MappingProxyType({0: 1}),
    "memoryview": lambda: memoryview(bytearray(b"abc")),
    "Decimal": lambda: decimal.Decimal("1.5"),
    "Fraction": lambda: fractions.Fraction(1, 2),
    "date": lambda: datetime.date(2026, 1, 1),
    "generator": lambda: (i for i in [1, 2]),
}


def set_item(o):
    o[0] = 5
    return o[0]


def delete_item(o):
    del o[0]
    return len(o)


def add_in_place(o):
    o += o
    return 1


def unpacked(o):
    a, b = o
    return a, b


USES = [
    set_item,
    delete_item,
    add_in_place,
    unpacked,
    lambda o: o[0],
    lambda o: o[0:1],
    lambda o: len(o),  # noqa: PLW0108
    lambda o: [v for v in o],  # noqa: C416
    lambda o: 1 in o,
    lambda o: o + o,
    lambda o: o * 2,
    lambda o: -o,
    lambda o: o**2,
    lambda o: o < o,
    lambda o: 3 if o else 4,
    lambda o: float(o),  # noqa: PLW0108
    lambda o: int(o),  # noqa: PLW0108
    lambda o: max(o),  # noqa: PLW0108
    lambda o: sum(o),  # noqa: PLW0108
    lambda o: sorted(o),  # noqa: PLW0108
    lambda o: [*o],
    lambda o: list(enumerate(o)),
]


def outcome(function: Callable[..., Any], value: Any) -> tuple[str, Any]:
    """What came of a call: a value, the class of an exception, or the codes of a refusal."""
    try:
        return "value", function(value)
    except staticpy.CompileError as error:
        return "refused", {diagnostic.spec.code for diagnostic in error.diagnostics}
    except Exception as error:
        return "raised", type(error)


@pytest.mark.parametrize("name", OBJECTS)
def test_each_use_is_right_or_refused(name: str) -> None:
    make = OBJECTS[name]
    for use in USES:
        value, other = make(), make()
        expected, actual = outcome(use, value), outcome(staticpy.jit(use), other)
        if actual[0] == "refused":
            assert all(code < "SPY9" for code in actual[1]), use
            assert name in ("generator", "memoryview") or repr(other) == repr(make())
        else:
            assert actual == expected, use


def test_the_refusal_names_the_class() -> None:
    with pytest.raises(staticpy.CompileError, match=r"SPY636.*'deque'"):
        staticpy.jit(USES[6])(collections.deque([1]))


def of_texts(x):
    return len(textwrap.dedent("  a\n  b")) + x


def of_names(x):
    return fnmatch.filter(["a", "b"], "a*"), x


CALLS = {of_texts: "dedent", of_names: "filter"}


@pytest.mark.parametrize("function", CALLS, ids=lambda each: each.__name__)
def test_what_stops_a_function_of_the_library_is_said_of_its_call(
    function: Callable[[Any], Any],
) -> None:
    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.jit(function)(1)
    (found,) = caught.value.diagnostics
    assert (found.code, found.args["name"]) == ("SPY609", CALLS[function])
    assert (found.span.file, found.function, found.chain) == (__file__, function.__name__, ())


def test_what_the_library_calls_is_at_fault_itself() -> None:
    def program(items):
        return list(heapq.merge(items, [1], key=lambda item: item + "a"))

    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.jit(program)([1, 2])
    assert {each.span.file for each in caught.value.diagnostics} == {__file__}
