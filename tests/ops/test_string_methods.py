"""Methods and items of strings, against Python."""

from __future__ import annotations

from typing import Any

import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import INT, STR
from staticpy.ops import REGISTRY, STRING_METHODS
from tests.support.memory import check

_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "center": (9, "*"),
    "endswith": ("b",),
    "find": ("b",),
    "count": ("a", 1),
    "index": ("zz",),
    "join": (["x", "y"],),
    "ljust": (9,),
    "partition": ("b",),
    "removeprefix": ("ab",),
    "removesuffix": ("ab",),
    "replace": ("a", "xy", 1),
    "rfind": ("b",),
    "rindex": ("b",),
    "rjust": (9,),
    "rpartition": ("b",),
    "startswith": (("x", "a"),),
    "zfill": (9,),
}


@pytest.mark.parametrize("method", STRING_METHODS)
def test_methods(method: str) -> None:
    arguments = _ARGUMENTS.get(method, ())
    for text in ("", "ab", "a b\n\tAB", "é12", "+7"):
        check(
            "str.call",
            lambda text, *args: getattr(text, method)(*args),
            text,
            *arguments,
            method=method,
        )


def test_items() -> None:
    for text in ("", "a", "abé"):
        check("str.items", list, text)
        for place in (0, -1, 2, True):
            check("str.getitem", lambda a, i: a[i], text, place)
            check("str.repeat", lambda a, n: a * n, text, place)
        for bounds in ((None, None, None), (1, None, None), (None, -1, 2), (0, 2, 0)):
            check("str.getslice", lambda a, *parts: a[slice(*parts)], text, *bounds)
        for part in ("", "a", "bé", "x"):
            check("str.contains", lambda a, b: b in a, text, part)


def test_percent() -> None:
    for right in (3, (3,), (3, 4), {"a": 2.5}, [1], None, "text"):
        for template in ("%s", "%d", "%(a)s", "%s %s", "%%", "%"):
            check("str.percent", lambda a, b: a % b, template, right)


@pytest.mark.parametrize(
    ("op", "types", "attrs"),
    [
        ("str.call", (INT,), {"method": "upper"}),
        ("str.call", (STR,), {"method": "encode"}),
        ("str.getitem", (STR, STR), {}),
        ("str.contains", (STR, INT), {}),
        ("str.repeat", (STR, STR), {}),
        ("str.percent", (INT, INT), {}),
        ("str.items", (INT,), {}),
    ],
)
def test_types_that_do_not_fit(op: str, types: Any, attrs: Any) -> None:
    with pytest.raises(DiagnosticError):
        REGISTRY[op].result_types(types, attrs)
