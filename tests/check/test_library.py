"""``staticpy.check_source``, and what it shares with the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import staticpy
from staticpy.diagnostics import Severity
from tests.support.command import Check

MODEL = """\
import staticpy


@staticpy.jit
def f(x: float):
    class A: pass
    return x


def g(x: float):
    class B: pass
    return x


y = 1  # staticpy: ignore[SPY104]
"""


def test_the_findings_of_a_text() -> None:
    first, second = staticpy.check_source(MODEL, filename="model.py")
    assert (first.code, first.severity) == ("SPY104", Severity.ERROR)
    assert str(first.span) == "model.py:6:5"
    assert first.span.function == "f"
    assert (second.code, second.severity) == ("SPY910", Severity.WARNING)
    assert second.fix is not None
    assert second.fix.is_safe


def test_scope_and_rules() -> None:
    def codes(**options: object) -> list[str]:
        return [item.code for item in staticpy.check_source(MODEL, **options)]  # type: ignore[arg-type]

    assert codes(scope="all") == ["SPY104", "SPY104", "SPY910"]
    assert codes(ignore=["unused-suppression"]) == ["SPY104"]
    assert codes(select=["SPY9", "SPY105"]) == []  # what the comment hides is not asked for
    with pytest.raises(ValueError, match="no rule 'SPY999'"):
        codes(select=["SPY999"])
    with pytest.raises(ValueError, match="scope is 'some'"):
        codes(scope="some")


def test_a_text_that_is_not_python() -> None:
    (finding,) = staticpy.check_source("def f(:\r\n")
    assert finding.code == "SPY001"


@pytest.mark.parametrize("scope", ["decorated", "reachable", "all"])
def test_the_command_finds_the_same(check: Check, scope: str) -> None:
    Path("model.py").write_text(MODEL)
    _, out, _ = check("--scope", scope, "--output-format", "json", "model.py")
    found = staticpy.check_source(MODEL, filename="model.py", scope=scope)
    assert [(item.code, item.span.line, item.message) for item in found] == [
        (item["code"], item["location"]["row"], item["message"]) for item in json.loads(out)
    ]
