"""Which rules are reported: the more exact selector of two counts."""

from __future__ import annotations

import pytest

from staticpy.check import Settings, SettingsError
from staticpy.check.selection import ALWAYS, codes_of, rules_of, without_effect
from staticpy.diagnostics import Severity, catalog

MISMATCH = catalog.BRANCH_TYPE_MISMATCH


def level(file: str = "model.py", **settings: object) -> Severity | None:
    return rules_of(Settings(**settings)).severity(MISMATCH, file)  # type: ignore[arg-type]


def test_what_selectors_stand_for() -> None:
    assert codes_of("SPY402") == codes_of("branch-type-mismatch") == {"SPY402"}
    assert "SPY402" in codes_of("SPY4")
    assert codes_of("SPY4") < codes_of("SPY") == codes_of("ALL")
    assert codes_of("spy402") == {"SPY402"}
    assert codes_of("E501") == codes_of("SPY999") == codes_of("") == frozenset()


@pytest.mark.parametrize(
    ("select", "ignore", "is_reported"),
    [
        (["ALL"], [], True),
        (["ALL"], ["SPY402"], False),
        (["ALL"], ["branch-type-mismatch"], False),
        (["SPY1"], [], False),
        (["SPY4"], ["SPY402"], False),
        (["SPY402"], ["SPY4"], True),
        (["branch-type-mismatch"], ["ALL"], True),
        (["SPY402"], ["SPY402"], False),
        (["SPY4"], ["SPY40"], False),
    ],
)
def test_selection(select: list[str], ignore: list[str], is_reported: bool) -> None:
    found = level(select=tuple(select), ignore=tuple(ignore))
    assert found == (Severity.ERROR if is_reported else None)


def test_more_rules_than_the_selected() -> None:
    assert level(select=("SPY1",), extend_select=("SPY402",)) == Severity.ERROR


@pytest.mark.parametrize("selector", ["ALL", "SPY8", "SPY805", "growing-array"])
def test_rules_in_preview_are_reported_to_who_asks_for_such(selector: str) -> None:
    spec = catalog.GROWING_ARRAY
    asked, other = Settings(select=(selector,), preview=True), Settings(select=(selector,))
    assert rules_of(asked).severity(spec, "a.py") == Severity.WARNING
    assert rules_of(other).severity(spec, "a.py") is None
    assert without_effect(asked) == []
    assert without_effect(other) == [selector][: codes_of(selector) == {spec.code}]


def test_per_file_ignores() -> None:
    ignores = {"tests/**": ("SPY4",), "old_*.py": ("ALL",)}
    assert level("tests/deep/model.py", per_file_ignores=ignores) is None
    assert level("src/old_model.py", per_file_ignores=ignores) is None
    assert level("src/model.py", per_file_ignores=ignores) == Severity.ERROR


def test_severities() -> None:
    assert level(severity={"SPY4": Severity.WARNING}) == Severity.WARNING
    both = {"SPY402": Severity.INFO, "SPY4": Severity.WARNING}
    assert level(severity=both) == Severity.INFO


def test_what_says_that_a_file_was_not_checked_is_always_reported() -> None:
    rules = rules_of(Settings(select=("SPY402",), per_file_ignores={"*": ("ALL",)}))
    for code in ALWAYS:
        assert rules.severity(catalog.by_code(code), "a.py") == Severity.ERROR


@pytest.mark.parametrize("setting", ["select", "ignore", "extend_select"])
def test_an_unknown_rule(setting: str) -> None:
    with pytest.raises(SettingsError, match="no rule 'branch-type-mismach'; did you mean branch-"):
        rules_of(Settings(**{setting: ("branch-type-mismach",)}))  # type: ignore[arg-type]
