"""The edits between two texts make one of the other, and touch nothing that they share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from staticpy.diagnostics import edited
from staticpy.source import normalize

pytest.importorskip("pygls")

from staticpy.server.changes import edits_between

TEXTS = st.text(st.sampled_from("ab \r\n𝄞漢"), max_size=20)


@given(TEXTS, TEXTS)
def test_the_edits_make_the_other_text(before: str, after: str) -> None:
    edits = edits_between(before, after, "m.py")
    assert edited(before, edits) == after
    assert bool(edits) == (before != after)
    lines = normalize(before).split("\n")
    for edit in edits:  # no line end is split: an editor has no position in one
        _, line, col, end_line, end_col = edit.span.place
        assert col <= len(lines[line - 1])
        assert end_col <= len(lines[end_line - 1])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\nb = 1\nc\n", "a\nb = 2\nc\n", [((2, 4, 2, 5), "2")]),
        ("a\r\nb\r\n", "a  # why\r\nb\r\n", [((1, 1, 1, 1), "  # why")]),
        ("a\nb\nc\n", "a\nc\n", [((2, 0, 3, 0), "")]),
        ("a", "a\nb", [((1, 1, 1, 1), "\nb")]),
        ("a\r\nb\n", "a\nb\n", [((1, 1, 2, 0), "\n")]),
        ("", "a\n", [((1, 0, 1, 0), "a\n")]),
        ("x𝄞y\nb\nc\n", "x𝄞z\nb\nd\n", [((1, 2, 1, 3), "z"), ((3, 0, 3, 1), "d")]),
    ],
)
def test_they_are_minimal(before: str, after: str, expected: list[object]) -> None:
    edits = edits_between(before, after, "m.py")
    assert [(edit.span.place[1:], edit.text) for edit in edits] == expected
