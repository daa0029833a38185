"""The collector that stages report to."""

from __future__ import annotations

import pytest

from staticpy.diagnostics import (
    Diagnostic,
    DiagnosticError,
    Diagnostics,
    DiagnosticSpec,
    Edit,
    Fix,
    Label,
    Severity,
    with_label,
)
from staticpy.source import OWN_FILES, SourceSpan

ERROR = DiagnosticSpec("SPY301", "an-error", "'{name}'", "", "", "", "")
HINT = DiagnosticSpec("SPY801", "a-hint", "'{name}'", "", "", "", "", severity=Severity.INFO)
PLACE = SourceSpan("m.py", 1, 0, 1, 4)
OTHER = SourceSpan("m.py", 2, 0, 2, 4)
OWN = SourceSpan(f"{OWN_FILES}xp.py", 7, 0, 7, 4)


def test_the_same_is_kept_once() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(ERROR, PLACE, name="x")
    diagnostics.add(ERROR, PLACE, name="x")
    diagnostics.add(ERROR, PLACE, name=["x"])
    diagnostics.add(ERROR, OTHER, name="x")
    diagnostics.add(HINT, PLACE, name="x")
    diagnostics.add(ERROR, PLACE, (Label(OTHER, "here"),), name="x")
    assert len(diagnostics) == 5
    assert [item.code for item in diagnostics] == ["SPY301"] * 3 + ["SPY801", "SPY301"]


def test_what_is_found_in_this_package_stands_where_it_is_called() -> None:
    diagnostics = Diagnostics(otherwise=OTHER)
    labels = Label(OWN, "int"), Label(OTHER, "'x' is int"), Label(OWN.inlined(PLACE), "float")
    fix = Fix("write 'y'", (Edit(OWN, "y"),), is_safe=True)
    diagnostics.append(Diagnostic(ERROR, OWN.inlined(PLACE), {"name": "x"}, labels, fix))
    diagnostics.add(ERROR, OWN, name="y")
    diagnostics.add(ERROR, PLACE, labels, name="z")
    assert [item.span for item in diagnostics] == [PLACE, OTHER, PLACE]
    assert [item.labels for item in diagnostics] == [labels[1:2], (), labels[1:2]]
    assert not any(item.fix for item in diagnostics)


def test_rollback_forgets() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(ERROR, PLACE, name="x")
    mark = diagnostics.mark()
    diagnostics.add(ERROR, OTHER, name="x")
    assert diagnostics.has(ERROR, OTHER)
    assert [item.span for item in diagnostics.rollback(mark)] == [OTHER]
    assert len(diagnostics) == 1
    assert not diagnostics.has(ERROR, OTHER)
    assert diagnostics.has(ERROR, PLACE)
    diagnostics.add(ERROR, OTHER, name="x")
    assert len(diagnostics) == 2


def test_only_errors_are_errors() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(HINT, PLACE, name="x")
    assert not diagnostics.has_errors
    diagnostics.add(ERROR, PLACE, name="x")
    assert diagnostics.has_errors


def test_an_error_takes_the_span_of_its_stage() -> None:
    with pytest.raises(DiagnosticError, match="SPY301 an-error") as caught:
        raise DiagnosticError(ERROR, name="x")
    assert caught.value.diagnostic(PLACE) == Diagnostic(ERROR, PLACE, {"name": "x"})
    assert DiagnosticError(ERROR, OTHER).diagnostic(PLACE).span == OTHER


def test_with_label() -> None:
    diagnostic = with_label(Diagnostic(ERROR, PLACE, {"name": "x"}), Label(OTHER, "here"))
    assert diagnostic.labels == (Label(OTHER, "here"),)
    assert diagnostic.message == "'x'"
