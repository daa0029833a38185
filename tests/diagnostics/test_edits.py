"""A fix changes what its edits name, and nothing else; a report shows the lines that it writes."""

from __future__ import annotations

import json

import pytest

from staticpy.diagnostics import (
    Diagnostic,
    DiagnosticSpec,
    Edit,
    Fix,
    Severity,
    edited,
    render_full,
    render_json,
)
from staticpy.source import SourceSpan

SPEC = DiagnosticSpec("SPY501", "no-function", "'{name}' is none", "write another", "", "", "")


def edit(line: int, col: int, end_col: int, text: str, end_line: int = 0) -> Edit:
    return Edit(SourceSpan("m.py", line, col, end_line or line, end_col), text)


@pytest.mark.parametrize(
    ("text", "edits", "expected"),
    [
        ("a = f(x)  # why\n", [edit(1, 4, 5, "g")], "a = g(x)  # why\n"),
        ("漢 = f(x)\r\ny\r\n", [edit(1, 4, 5, "g"), edit(2, 0, 1, "z")], "漢 = g(x)\r\nz\r\n"),
        ("f(x)", [edit(1, 0, 0, "import g\n")], "import g\nf(x)"),
        ("f(\n  x,\n)\n", [edit(1, 0, 1, "g()", 3)], "g()\n"),
        ("a\u2028b + c\x0c\n", [edit(1, 6, 7, "d")], "a\u2028b + d\x0c\n"),
        ("\tif x:\r\tb\n", [edit(2, 1, 2, "c")], "\tif x:\r\tc\n"),
    ],
)
def test_edited(text: str, edits: list[Edit], expected: str) -> None:
    assert edited(text, edits) == expected
    assert edited(text, reversed(edits)) == expected


@pytest.mark.parametrize(
    "edits",
    [
        [edit(1, 0, 3, "x"), edit(1, 2, 4, "y")],
        [edit(9, 0, 1, "x")],
        [edit(1, 2, 99, "x")],
        [edit(1, 4, 2, "x")],
    ],
)
def test_edits_that_do_not_fit(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match=r"edit|line|column"):
        edited("a = b\nc = d\n", edits)


TEXT = "def f(x):\n\ty = tenh(x)  # once\n\treturn y\n"
FIXED = Diagnostic(
    SPEC,
    SourceSpan("m.py", 2, 5, 2, 9, "f", SourceSpan("m.py", 3, 8, 3, 9, "main")),
    {"name": "tenh"},
    (),
    Fix("write 'tanh'", (edit(2, 5, 9, "tanh"),), is_safe=False),
)


def test_a_report_shows_the_new_line() -> None:
    assert render_full([FIXED], lambda _: TEXT.split("\n")) == (
        """\
m.py:2:6: error[SPY501] no-function: 'tenh' is none
  |
2 |     y = tenh(x)  # once
  |         ^^^^
  |
  = called from: m.py:3:9 in 'main': y
  = help: write another
  = unsafe fix: write 'tanh'
                    y = tanh(x)  # once
  = docs: staticpy explain SPY501"""
    )


def test_a_report_without_the_text_shows_the_title() -> None:
    assert "unsafe fix: write 'tanh'\n  = docs" in render_full([FIXED], lambda _: [])


def test_json() -> None:
    (item,) = json.loads(render_json([FIXED]))
    assert item["fix"] == {
        "applicability": "unsafe",
        "message": "write 'tanh'",
        "edits": [
            {
                "content": "tanh",
                "location": {"row": 2, "column": 6},
                "end_location": {"row": 2, "column": 10},
            }
        ],
    }
    assert item["severity"] == "error"


def test_settings_may_give_an_occurrence_another_severity() -> None:
    item = Diagnostic(SPEC, FIXED.span, {"name": "tenh"}, level=Severity.INFO)
    assert item.severity is Severity.INFO
    assert render_full([item], lambda _: []).startswith("m.py:2:6: info[SPY501]")
