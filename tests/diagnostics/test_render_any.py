"""Whatever the text, the span and the values are, a report is written and is safe to show."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from staticpy.diagnostics import (
    Diagnostic,
    DiagnosticSpec,
    Label,
    render_concise,
    render_full,
    render_json,
)
from staticpy.source import SourceSpan

SPEC = DiagnosticSpec("SPY402", "slug", "'{name}' differs", "convert '{name}'", "Why.", "", "")

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
SMALL = st.integers(-1, 40)
SPANS = st.builds(
    SourceSpan, st.sampled_from(["m.py", "n\u202e.py", ""]), SMALL, SMALL, SMALL, SMALL, ANY_TEXT
)
CALLED = st.builds(SourceSpan, ANY_TEXT, SMALL, SMALL, SMALL, SMALL, ANY_TEXT, SPANS)
LABELS = st.lists(st.builds(Label, SPANS, ANY_TEXT), max_size=3).map(tuple)
DIAGNOSTICS = st.builds(
    Diagnostic, st.just(SPEC), SPANS | CALLED, st.fixed_dictionaries({"name": ANY_TEXT}), LABELS
)


@given(DIAGNOSTICS, st.lists(ANY_TEXT.filter(lambda text: "\n" not in text), max_size=8))
def test_reports_are_safe(diagnostic: Diagnostic, lines: list[str]) -> None:
    full = render_full([diagnostic], lambda _: lines)
    concise = render_concise([diagnostic])
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for text in (full.replace("\n", ""), concise):
        assert not {unicodedata.category(character) for character in text} & hidden
    for line in full.split("\n"):
        assert line == line.rstrip() or "error[" in line
    assert len(full.split("\n")) < 80
    assert json.loads(render_json([diagnostic]))[0]["code"] == "SPY402"


@given(st.text("ab\t漢é\u202e\x1b", min_size=1, max_size=20), st.data())
def test_marks_stand_under_their_text(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, len(line)))
    items = [Diagnostic(SPEC, SourceSpan("m.py", 1, start, 1, end), {})]
    shown = [text[4:] for text in render_full(items, lambda _: [line]).split("\n")[2:4]]
    cells = "".join(
        character * (2 if unicodedata.east_asian_width(character) == "W" else 1)
        for character in shown[0]
    )
    marked = cells[shown[1].index("^") : len(shown[1])]
    expected = render_full(
        [Diagnostic(SPEC, SourceSpan("m.py", 1, 0, 1, 1), {})], lambda _: [line[start:end]]
    ).split("\n")[2][4:]
    wide = "".join(
        character * (2 if unicodedata.east_asian_width(character) == "W" else 1)
        for character in expected
    )
    assert marked.rstrip() == wide.rstrip()
