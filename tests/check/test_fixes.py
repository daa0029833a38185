"""Fixes: made as far as they leave a program that is better, and nothing else is touched."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from staticpy.check import Checker, FileResult, Settings, fix_text
from staticpy.check import core as check_core
from staticpy.check.analysis import Analysis
from staticpy.diagnostics import Diagnostic, Edit, Fix, catalog
from staticpy.source import SourceSpan
from tests.support.command import Check

UNUSED = """\
import staticpy


@staticpy.jit
def f(x: float):  # keep   this
    y = x  # staticpy: ignore[SPY104]
    # staticpy: ignore[SPY105] why
    z = y\t# staticpy: ignore[SPY104, SPY105]   # and this
    return z
"""
FIXED = """\
import staticpy


@staticpy.jit
def f(x: float):  # keep   this
    y = x
    z = y   # and this
    return z
"""


@pytest.mark.parametrize(
    ("encoding", "end"),
    [("utf-8", "\n"), ("utf-8", "\r\n"), ("utf-8-sig", "\n"), ("latin-1", "\r")],
)
def test_unused_comments_go(check: Check, encoding: str, end: str) -> None:
    """Comments, layout, line ends, encoding and permissions stay."""
    head = "# coding: latin-1\nname = 'caf\xe9'\n" if encoding == "latin-1" else ""
    before, after = ((head + text).replace("\n", end) for text in (UNUSED, FIXED))
    Path("model.py").write_bytes(before.encode(encoding))
    Path("model.py").chmod(0o751)
    code, out, err = check("--fix", "--show-fixes", "model.py")
    assert Path("model.py").read_bytes().decode(encoding) == after
    assert stat.S_IMODE(Path("model.py").stat().st_mode) == 0o751
    assert (code, err) == (0, "")
    assert out == (
        "No errors in 1 file.\nFixed 3 findings.\nmodel.py:\n  3 x SPY910 unused-suppression\n"
    )


def test_diff_writes_nothing(check: Check) -> None:
    Path("model.py").write_text(UNUSED)
    code, out, _ = check("--diff", "model.py")
    assert code == 1
    assert out.startswith("--- model.py\n+++ model.py\n@@ ")
    assert "-    y = x  # staticpy: ignore[SPY104]\n" in out
    assert "+    y = x\n" in out
    assert Path("model.py").read_text() == UNUSED
    Path("model.py").write_text(FIXED)
    assert check("--diff", "model.py")[:2] == (0, "")


def test_fix_only_reports_nothing(check: Check) -> None:
    Path("model.py").write_text(UNUSED.replace("    y = x", "    class A: pass\n    y = x"))
    assert check("--fix-only", "model.py") == (0, "", "")
    assert "ignore" not in Path("model.py").read_text()


def test_a_file_that_cannot_be_written(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("model.py").write_text(UNUSED)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.fsync", refuse)
    code, out, err = check("--fix", "model.py")
    assert (code, err) == (0, "staticpy: cannot write 'model.py': Permission denied\n")
    assert "Found 3 warnings" in out
    assert Path("model.py").read_text() == UNUSED
    assert not list(Path().glob(".model*"))


def test_a_link_stays_a_link(check: Check) -> None:
    Path("real.py").write_text(UNUSED)
    Path("link.py").symlink_to("real.py")
    check("--fix", "link.py")
    assert Path("link.py").is_symlink()
    assert Path("real.py").read_text() == FIXED


# --- fixes of any kind: a rule that wants each "bad" to be something else ------------------------

Rule = Callable[[str, str], list[Diagnostic]]


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, FileResult]]:
    """Applies the fixes of a rule that reports each ``bad`` and would write another word."""

    def run(text: str, word: str, *, is_safe: bool = True, allow_unsafe: bool = False):  # type: ignore[no-untyped-def]
        def analyse(text: str, file: str, *_: object, **__: object) -> Analysis:
            try:
                compile(text, file, "exec")
            except SyntaxError:
                return Analysis([Diagnostic(catalog.SYNTAX_ERROR, SourceSpan(file, 1, 0, 1, 0))])
            found = []
            for row, line in enumerate(text.split("\n"), 1):
                for col in (i for i in range(len(line)) if line.startswith("bad", i)):
                    span = SourceSpan(file, row, col, row, col + 3)
                    fix = Fix("Write it", (Edit(span, word),), is_safe)
                    found.append(Diagnostic(catalog.CLASS_DEFINITION, span, fix=fix))
            return Analysis(found)

        monkeypatch.setattr(check_core, "analyse", analyse)
        result = fix_text(Checker(Settings()), text, "model.py", allow_unsafe=allow_unsafe)
        return result.after, result.left

    return run


def test_all_of_them_at_once(fixed) -> None:  # type: ignore[no-untyped-def]
    text, left = fixed("bad + bad\nx = bad\n", "good")
    assert text == "good + good\nx = good\n"
    assert left.findings == ()


def test_unsafe_ones_only_when_asked_for(fixed) -> None:  # type: ignore[no-untyped-def]
    assert fixed("x = bad\n", "good", is_safe=False)[0] == "x = bad\n"
    assert fixed("x = bad\n", "good", is_safe=False, allow_unsafe=True)[0] == "x = good\n"


@pytest.mark.parametrize("word", ["(", "bad + bad", "bad", "1 = "])
def test_what_does_not_mend_is_refused(fixed, word: str) -> None:  # type: ignore[no-untyped-def]
    text, left = fixed("x = bad\n", word)
    assert text == "x = bad\n"
    assert len(left.findings) == 1


def test_one_that_cannot_be_made_keeps_no_other_from_being_made(fixed) -> None:  # type: ignore[no-untyped-def]
    text, left = fixed("x = bad\nbad: int\ny = bad\n", "2")
    assert text == "x = 2\nbad: int\ny = 2\n"
    assert len(left.findings) == 1


def test_edits_that_touch_each_other_are_made_one_after_the_other(fixed) -> None:  # type: ignore[no-untyped-def]
    assert fixed("x = badbad\n", "ok")[0] == "x = okok\n"


def test_a_fix_of_another_file_is_not_made(fixed, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    elsewhere = SourceSpan("other.py", 1, 0, 1, 1)
    fix = Fix("Write it", (Edit(elsewhere, "2"),), is_safe=True)
    span = replace(elsewhere, file="model.py")
    found = [Diagnostic(catalog.CLASS_DEFINITION, span, fix=fix)]
    monkeypatch.setattr(check_core, "analyse", lambda *_, **__: Analysis(found))
    result = fix_text(Checker(Settings()), "1\n", "model.py", allow_unsafe=True)
    assert not result.has_changed
