"""Escaping and widths."""

from __future__ import annotations

import pytest

from staticpy.diagnostics.text import escape, shown_value, split_lines, width

ESCAPED = [
    ("plain text", "plain text"),
    ("café 漢字 é", "café 漢字 é"),
    ("\x1b[31mred", "\\x1b[31mred"),
    ("a\nb\r\tc\x00", "a\\nb\\r\\tc\\x00"),
    ("left\u202eright", "left\\u202eright"),
    ("\u2066x\u2069", "\\u2066x\\u2069"),
    ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
    ("line\u2028end", "line\\u2028end"),
    ("\udcff", "\\udcff"),
    ("\x9b", "\\x9b"),
    ("\U000e0041", "\\U000e0041"),
]


@pytest.mark.parametrize(("text", "expected"), ESCAPED)
def test_escape(text: str, expected: str) -> None:
    assert escape(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", 3), ("漢字", 4), ("é", 1), ("e\u0301", 1), ("\uff46", 2)],
)
def test_width(text: str, expected: int) -> None:
    assert width(text) == expected


def test_lines_end_where_python_ends_them() -> None:
    assert split_lines("a\x0cb\u2028c\r\nd\re\nf") == ["a\x0cb\u2028c", "d", "e", "f"]


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_a_value_without_text_is_named_by_its_class() -> None:
    assert shown_value(Broken()) == "<Broken>"


def test_a_long_value_is_cut_in_the_middle() -> None:
    shown = shown_value("a" * 1000 + "b" * 1000)
    assert len(shown) == 301
    assert shown.startswith("aaa")
    assert "…" in shown
    assert shown.endswith("bbb")
