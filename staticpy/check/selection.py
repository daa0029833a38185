"""Which kinds of finding are reported, and how much each matters.

In: the settings. Out: for a kind and a file, its severity, or None. A selector is a code
(``SPY402``), the beginning of one (``SPY4``), a name (``branch-type-mismatch``) or ``ALL``. As in
ruff, the more exact one of two that contradict each other counts; of two as exact, ``ignore``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from staticpy.check.patterns import matches
from staticpy.check.settings import Settings, SettingsError
from staticpy.diagnostics import DiagnosticSpec, Severity, catalog

ALL = "ALL"

ALWAYS = frozenset(
    spec.code
    for spec in (
        catalog.SYNTAX_ERROR,
        catalog.UNREADABLE_FILE,
        catalog.BAD_ENCODING,
        catalog.NUL_BYTES,
        catalog.FILE_TOO_LARGE,
        catalog.NESTING_TOO_DEEP,
        catalog.INTERNAL_ERROR,
    )
)
"""Codes that no setting and no comment turns off: they say that something was not checked."""

_CODE = len("SPY000")


@cache
def codes_of(selector: str) -> frozenset[str]:
    """The codes that a selector stands for; none where it stands for nothing."""
    if selector.upper() == ALL:
        return frozenset(spec.code for spec in catalog.ALL)
    spec = catalog.find(selector)
    if spec is not None:
        return frozenset([spec.code])
    prefix = selector.upper()
    if not prefix.startswith("SPY"):
        return frozenset()
    return frozenset(spec.code for spec in catalog.ALL if spec.code.startswith(prefix))


def _exactness(selector: str) -> int:
    if selector.upper() == ALL:
        return 0
    return _CODE if catalog.find(selector) else len(selector)


@dataclass(frozen=True, slots=True)
class Rules:
    """The kinds that a run reports."""

    levels: Mapping[str, Severity]
    """The severity of each code that is selected."""
    given: frozenset[str]
    """The codes whose severity the settings name."""
    ignores: Mapping[str, frozenset[str]]
    """For patterns of files, the codes that are not reported there."""

    def severity(self, spec: DiagnosticSpec, file: str) -> Severity | None:
        """How much a kind matters in a file; None where it isn't reported."""
        if spec.code in ALWAYS:
            return self.levels.get(spec.code, spec.severity)
        for pattern, codes in self.ignores.items():
            if spec.code in codes and matches(file, pattern):
                return None
        return self.levels.get(spec.code)


def rules_of(settings: Settings) -> Rules:
    """The kinds that the settings ask for.

    Raises:
        SettingsError: a selector stands for nothing.
    """
    selected = _best([*settings.select, *settings.extend_select], "select")
    ignored = _best(settings.ignore, "ignore")
    graded = _best(settings.severity, "severity")
    levels = {
        spec.code: settings.severity[graded[spec.code]] if spec.code in graded else spec.severity
        for spec in catalog.ALL
        if spec.code in selected
        if settings.preview or not spec.is_preview
        if spec.code not in ignored
        or _exactness(selected[spec.code]) > _exactness(ignored[spec.code])
    }
    ignores = {
        pattern: frozenset(_best(selectors, f"per-file-ignores.{pattern}"))
        for pattern, selectors in settings.per_file_ignores.items()
    }
    return Rules(levels, frozenset(graded), ignores)


def without_effect(settings: Settings) -> list[str]:
    """The selectors that ask for nothing but rules in preview, where these are not reported."""
    asked = () if settings.preview else (*settings.select, *settings.extend_select)
    return [
        each for each in asked if all(catalog.by_code(code).is_preview for code in codes_of(each))
    ]


def _best(selectors: Iterable[str], setting: str) -> dict[str, str]:
    """For each code that the selectors stand for, the most exact one of them."""
    found: dict[str, str] = {}
    for selector in sorted(selectors, key=_exactness):
        codes = codes_of(selector)
        if not codes:
            raise SettingsError(unknown_rule(selector), setting)
        found.update(dict.fromkeys(codes, selector))
    return found


def unknown_rule(name: str, *, hint: bool = True) -> str:
    """What to say of a name that no rule has; ``hint``: and which it could be."""
    if not hint:
        return f"there is no rule '{name}'"
    known = [spec.code for spec in catalog.ALL] + [spec.slug for spec in catalog.ALL]
    near = difflib.get_close_matches(name, known, n=3)
    way = f"did you mean {' or '.join(near)}?" if near else "'staticpy rule' lists them"
    return f"there is no rule '{name}'; {way}"
