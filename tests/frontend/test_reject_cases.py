"""Every file of ``tests/cases/reject`` gets exactly the diagnostics that its comments name."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from staticpy.diagnostics import catalog
from staticpy.frontend import check_text
from staticpy.source import read_text

REJECT = Path(__file__).parent.parent / "cases" / "reject"
EXPECTED = re.compile(r"# error: (SPY\d{3}(?:, SPY\d{3})*)")
NEEDED = re.compile(r"# python: 3\.(\d+)")


def is_for_this_python(path: Path) -> bool:
    needed = NEEDED.match(read_text(path))
    return needed is None or sys.version_info >= (3, int(needed[1]))


CASES = [path for path in sorted(REJECT.glob("*.py")) if is_for_this_python(path)]


def expected(text: str) -> list[tuple[int, str]]:
    """The line and code of each comment."""
    return sorted(
        (number, code)
        for number, line in enumerate(text.split("\n"), start=1)
        if (match := EXPECTED.search(line))
        for code in match[1].split(", ")
    )


def found(text: str, file: str) -> list[tuple[int, str]]:
    """The line and code of each diagnostic of ``check``."""
    diagnostics = check_text(text, file)
    assert all(item.message and item.help and item.span.file == file for item in diagnostics)
    return sorted((item.span.line, item.code) for item in diagnostics)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_reject(path: Path) -> None:
    text = read_text(path)
    assert expected(text), "a rejected program names its errors"
    assert found(text, str(path)) == expected(text)


def test_there_is_a_case_for_each_syntax_code() -> None:
    # Read from every file, those for a newer Python too.
    seen = {code for path in REJECT.glob("*.py") for _, code in expected(read_text(path))}
    syntax = {spec.code for spec in catalog.ALL if spec.code[3] in "12" or spec.nodes}
    assert syntax <= seen
