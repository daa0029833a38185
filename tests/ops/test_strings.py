"""Strings made at run time, against Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import FLOAT, INT, OBJECT, STR, ScalarType, Type
from staticpy.ops import REGISTRY, Effect
from tests.support.memory import check

X: Any = ("", "")
_VALUES: tuple[Any, ...] = (
    True, -3, 2.5, float("nan"), 1 - 2j, None, "a'b\"\\\n{é}", (1, "a"), [2.5], {"a": 1},
    np.float32(1.5), np.int8(-3), np.bool_(True), np.arange(3), np.ones((2, 2)), ValueError("x"),
)  # fmt: skip


def test_str_and_repr() -> None:
    for value in _VALUES:
        check("str.str", str, value)
        check("str.repr", repr, value)


def test_pairs_of_strings() -> None:
    for left in ("", "a", "é\n", "ab"):
        check("str.len", len, left)
        for right in ("", "ab", "'\""):
            check("str.concat", lambda a, b: a + b, left, right)
            check("str.eq", lambda a, b: a == b, left, right)


@pytest.mark.parametrize("conversion", ["", "s", "r", "a"])
@pytest.mark.parametrize("spec", ["", ">12", ".3f", "+d", "'^9", "{", "x\\", '"', "\n", "é<4"])
def test_fields(conversion: str, spec: str) -> None:
    convert: Any = {"": lambda value: value, "s": str, "r": repr, "a": ascii}[conversion]

    def plain(value: Any) -> str:
        return format(convert(value), spec)

    for value in _VALUES:
        check("str.format", plain, value, parts=((conversion, spec),))


TEXTS = [
    "",
    "plain",
    "'",
    '"',
    "'\"",
    "\\",
    "\\N{x}",
    "{}",
    "{{",
    "}}",
    "\n\t\0",
    "é\u2028",
    "\ud800",
]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_texts_between_fields(text: str) -> None:
    check(
        "str.format",
        lambda a, b: f"{text}{a}{text}{b}{text}",
        1,
        2.5,
        parts=(text, X, text, X, text),
    )
    check("str.format", lambda: text * 2, parts=(text, text))


def test_nested_specs() -> None:
    spec: Any = (X, ".", X, "f")
    parts: Any = ("[", ("", spec), "]", ("r", (">", X)))
    check(
        "str.format",
        lambda v, w, p, s, n: f"[{v:{w}.{p}f}]{s!r:>{n}}",
        2.5,
        9,
        2,
        "a",
        7,
        parts=parts,
    )
    deep: Any = (("", (("", (">", X)),)),)
    check("str.format", lambda v, w, n: format(v, format(w, f">{n}")), 3, 8, 1, parts=deep)


@pytest.mark.parametrize("parts", [(X,), ("a", X, X, X), (("q", ""), X)])
def test_type_rule_refuses(parts: Any) -> None:
    with pytest.raises(DiagnosticError):
        REGISTRY["str.format"].result_types((INT, INT), {"parts": parts})


def test_only_strings_are_added() -> None:
    for name in ("concat", "eq"):
        with pytest.raises(DiagnosticError):
            REGISTRY[f"str.{name}"].result_types((STR, INT), {})


@pytest.mark.parametrize(
    ("type_", "spec", "expected"),
    [
        (FLOAT, "", Effect.NONE),
        (STR, "", Effect.NONE),
        (FLOAT, ".3f", Effect.RAISES),
        (INT, "", Effect.RAISES),
        (ScalarType(np.dtype("float32")), "", Effect.RAISES),
        (OBJECT, "", Effect.WRITES | Effect.RAISES),
    ],
)
def test_effects(type_: Type, spec: str, expected: Effect) -> None:
    attrs = {"parts": (("", spec),)}
    assert REGISTRY["str.format"].effects_of((type_,), attrs) == expected


def test_an_int_of_too_many_digits() -> None:
    for name in ("str", "repr"):
        kernel = REGISTRY[f"str.{name}"].kernel
        assert kernel is not None
        with pytest.raises(ValueError, match="4300 digits"):
            kernel(10**5000)
