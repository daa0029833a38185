"""The formats, as they look."""

from __future__ import annotations

import json
import re

import pytest

from staticpy.diagnostics import (
    CompileError,
    Diagnostic,
    DiagnosticSpec,
    Label,
    Severity,
    StaticpyError,
    render_concise,
    render_full,
    render_json,
)
from staticpy.source import SourceSpan

SPEC = DiagnosticSpec(
    "SPY402", "branch-type-mismatch", "'{name}' differs", "convert '{name}'", "Why.", "", ""
)

MODEL = """\
def f(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = 1
    total = 0
    other = 1
    return y


def g(x):
    return f(
        x,
    )
"""


def span(line: int, col: int, end_col: int, end_line: int = 0, file: str = "m.py") -> SourceSpan:
    return SourceSpan(file, line, col, end_line or line, end_col)


def full(diagnostic: Diagnostic, text: str = MODEL) -> str:
    return render_full([diagnostic], lambda file: text.split("\n") if file == "m.py" else [])


def test_labels_and_gaps() -> None:
    labels = (Label(span(3, 8, 9), "f64[n] here"), Label(span(5, 8, 9), "int here"))
    assert full(Diagnostic(SPEC, span(8, 11, 12), {"name": "y"}, labels)) == (
        """\
m.py:8:12: error[SPY402] branch-type-mismatch: 'y' differs
  |
3 |         y = x * 2
  |         - f64[n] here
4 |     else:
5 |         y = 1
  |         - int here
...
8 |     return y
  |            ^
  |
  = help: convert 'y'
  = docs: staticpy explain SPY402"""
    )


def test_several_lines_and_calls() -> None:
    inner = SourceSpan("other.py", 9, 4, 9, 9, "h")
    outer = SourceSpan("m.py", 12, 11, 14, 5, "g", inner)
    assert full(Diagnostic(SPEC, outer, {"name": "y"})) == (
        """\
m.py:12:12: error[SPY402] branch-type-mismatch: 'y' differs
   |
12 |     return f(
   |            ^^
13 |         x,
   |         ^^
14 |     )
   |     ^
   |
   = called from: other.py:9:5 in 'h'
   = help: convert 'y'
   = docs: staticpy explain SPY402"""
    )


def test_two_spans_on_one_line_and_another_file() -> None:
    labels = (Label(span(3, 12, 13), "array"), Label(span(1, 0, 3, file="n.py"), "there"))
    text = render_full(
        [Diagnostic(SPEC, span(3, 16, 17), {"name": "y"}, labels)],
        lambda file: MODEL.split("\n") if file == "m.py" else ["abc"],
    )
    assert text.split("\n")[1:9] == [
        "  |",
        "3 |         y = x * 2",
        "  |             - array",
        "  |                 ^",
        "  ::: n.py:1:1",
        "  |",
        "1 | abc",
        "  | --- there",
    ]


ALIGNED = [
    ("\ty = x", 1, 2, "    y = x", "    ^"),
    ("a = '漢字' + b", 11, 12, "a = '漢字' + b", "             ^"),
    ("a = '漢字'", 4, 8, "a = '漢字'", "    ^^^^^^"),
    ("e\u0301 = b", 5, 6, "e\u0301 = b", "    ^"),
    ("a = '\u202e' + b", 10, 11, "a = '\\u202e' + b", "               ^"),
    ("a = '\x1b' + b", 5, 6, "a = '\\x1b' + b", "     ^^^^"),
    ("short", 5, 5, "short", "     ^"),
    ("short", 90, 99, "short", "     ^"),
]


@pytest.mark.parametrize(("line", "col", "end", "shown", "marks"), ALIGNED)
def test_marks_follow_the_width(line: str, col: int, end: int, shown: str, marks: str) -> None:
    lines = full(Diagnostic(SPEC, span(1, col, end), {"name": "y"}), line).split("\n")
    assert lines[2] == f"1 | {shown}"
    assert lines[3] == f"  | {marks}"


def test_a_label_at_the_span_itself_shares_its_marks() -> None:
    labels = (Label(span(5, 8, 9), "int here"),)
    lines = full(Diagnostic(SPEC, span(5, 8, 9), {"name": "y"}, labels)).split("\n")
    assert lines[2:5] == ["5 |         y = 1", "  |         ^ int here", "  |"]


def test_a_long_line_is_shown_about_its_mark() -> None:
    line = "a" * 5000 + "HERE" + "b" * 5000
    lines = full(Diagnostic(SPEC, span(1, 5000, 5004), {"name": "y"}), line).split("\n")
    assert len(lines[2]) < 200
    assert lines[2][lines[3].index("^") :].startswith("HERE")
    assert lines[2].startswith("1 | …")
    assert lines[2].endswith("…")


def test_a_long_span_is_cut() -> None:
    text = "\n".join(f"x{number} = 1" for number in range(1, 50))
    lines = full(Diagnostic(SPEC, span(1, 0, 3, 40), {"name": "y"}), text).split("\n")
    assert len(lines) < 20
    assert any(line.startswith("40 | x40") for line in lines)


def test_a_span_without_text_still_gets_a_header() -> None:
    for place in (span(0, 0, 0), span(99, 0, 1), span(1, 0, 1, file="gone.py")):
        lines = full(Diagnostic(SPEC, place, {"name": "y"})).split("\n")
        assert "error[SPY402]" in lines[0]
        assert lines[1].strip() == "= help: convert 'y'"


def test_nothing_can_be_injected() -> None:
    file = "a\n::error file=b\u202e.py"
    diagnostic = Diagnostic(SPEC, span(1, 0, 1, file=file), {"name": "x\n\x1b[0m"})
    for text in (full(diagnostic).split("\n")[0], render_concise([diagnostic])):
        assert "\n" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "a\\n::error" in text
        assert "x\\n\\x1b[0m" in text
    assert render_json([diagnostic]).isascii()
    assert json.loads(render_json([diagnostic]))[0]["filename"] == file


def test_a_missing_value_leaves_its_mark() -> None:
    assert Diagnostic(SPEC, span(1, 0, 1), {}).message == "'…' differs"


def test_a_long_chain_of_calls_is_shortened() -> None:
    place = span(1, 0, 1)
    for line in range(2, 40):
        place = place.inlined(SourceSpan("m.py", line, 0, line, 1, f"f{line}"))
    notes = [line for line in full(Diagnostic(SPEC, place, {})).split("\n") if "called" in line]
    assert len(notes) == 9
    assert "m.py:2:1 in 'f2'" in notes[0]
    assert "30 more calls" in notes[4]
    assert "in 'f39'" in notes[8]


def test_concise() -> None:
    items = [Diagnostic(SPEC, span(line, 0, 1), {"name": "y"}) for line in (1, 2)]
    assert render_concise(items) == (
        "m.py:1:1: error[SPY402] branch-type-mismatch: 'y' differs\n"
        "m.py:2:1: error[SPY402] branch-type-mismatch: 'y' differs"
    )


def test_json() -> None:
    place = SourceSpan("m.py", 3, 4, 3, 9, "f", SourceSpan("m.py", 7, 0, 7, 1, "g"))
    diagnostic = Diagnostic(SPEC, place, {"name": "y"}, (Label(span(5, 8, 9), "int here"),))
    assert json.loads(render_json([diagnostic])) == [
        {
            "code": "SPY402",
            "name": "branch-type-mismatch",
            "message": "'y' differs",
            "severity": "error",
            "filename": "m.py",
            "location": {"row": 3, "column": 5},
            "end_location": {"row": 3, "column": 10},
            "fix": None,
            "noqa_row": 3,
            "url": None,
            "function": "f",
            "category": "control-flow",
            "related": [
                {
                    "kind": "label",
                    "message": "int here",
                    "filename": "m.py",
                    "location": {"row": 5, "column": 9},
                    "end_location": {"row": 5, "column": 10},
                },
                {
                    "kind": "call",
                    "message": "in 'g'",
                    "filename": "m.py",
                    "location": {"row": 7, "column": 1},
                    "end_location": {"row": 7, "column": 2},
                },
            ],
            "help": "convert 'y'",
        }
    ]


def test_colour_adds_nothing_but_colour() -> None:
    labels = (Label(span(3, 8, 9), "f64[n] here"),)
    items = [Diagnostic(SPEC, span(8, 11, 12), {"name": "y"}, labels)]
    colored = render_full(items, lambda _: MODEL.split("\n"), color=True)
    assert "\x1b[1;31m" in colored
    plain = render_full(items, lambda _: MODEL.split("\n"))
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_compile_error() -> None:
    items = [Diagnostic(SPEC, span(8, 11, 12), {"name": "y"})]
    error = CompileError(items, lambda _: MODEL.split("\n"))
    assert isinstance(error, StaticpyError)
    assert error.diagnostics == tuple(items)
    assert error.codes == ("SPY402",)
    assert "8 |     return y" in str(error)


def test_severities_are_words() -> None:
    assert [str(severity) for severity in Severity] == ["error", "warning", "info"]
