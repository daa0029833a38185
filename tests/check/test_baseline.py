"""Findings that were there before: hidden by file, function and code, never with a new one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from staticpy.check import SettingsError, read_baseline
from tests.support.command import Check

ONE = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n"
OTHER = "\n\n@staticpy.jit\ndef g(x: float):\n    class A: pass\n    return x\n"
TWO = ONE.replace("    return", "    class B: pass\n    return")


@pytest.fixture
def baseline(check: Check) -> Check:
    """The command, in a folder with a model and a baseline of its finding."""
    Path("model.py").write_text(ONE)
    code, _, err = check("--baseline", "known.json", "--update-baseline", ".")
    assert (code, err) == (0, "")
    return check


def count(check: Check) -> int:
    _, out, _ = check("--baseline", "known.json", "--output-format", "json", ".")
    return len(json.loads(out))


def test_what_it_holds(baseline: Check) -> None:
    assert json.loads(Path("known.json").read_text()) == {
        "version": 1,
        "files": {"model.py": {"f": {"SPY104": 1}}},
    }


def test_what_was_there_is_hidden(baseline: Check) -> None:
    code, out, _ = baseline("--baseline", "known.json", ".")
    assert code == 0
    assert out.endswith("The baseline hides 1 finding.\n")


def test_it_outlives_edits_elsewhere(baseline: Check) -> None:
    Path("model.py").write_text("import numpy\n\n" + ONE)
    assert count(baseline) == 0


def test_a_new_finding_is_never_hidden(baseline: Check) -> None:
    Path("model.py").write_text(ONE + OTHER)  # in another function
    assert count(baseline) == 1
    Path("model.py").write_text(TWO)  # in the same one: which is new can't be known
    assert count(baseline) == 2
    Path("other.py").write_text(ONE)  # in another file
    assert count(baseline) == 3


def test_what_was_mended_is_said(baseline: Check) -> None:
    Path("model.py").write_text("")
    _, out, _ = baseline("--baseline", "known.json", ".")
    assert "1 of what the baseline counts is mended: --update-baseline." in out
    baseline("--baseline", "known.json", "--update-baseline", ".")
    assert json.loads(Path("known.json").read_text())["files"] == {}


def test_an_update_of_some_files_keeps_the_others(baseline: Check) -> None:
    Path("other.py").write_text(ONE)
    baseline("--baseline", "known.json", "--update-baseline", "other.py")
    assert set(json.loads(Path("known.json").read_text())["files"]) == {"model.py", "other.py"}
    Path("model.py").unlink()
    baseline("--baseline", "known.json", "--update-baseline", "other.py")
    assert set(json.loads(Path("known.json").read_text())["files"]) == {"other.py"}


def test_a_syntax_error_is_never_hidden(check: Check) -> None:
    Path("model.py").write_text("def f(:\n")
    assert check("--baseline", "known.json", "--update-baseline", "model.py")[0] == 1
    assert check("--baseline", "known.json", "model.py")[0] == 1


def test_the_setting_is_relative_to_its_file(baseline: Check, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    Path("staticpy.toml").write_text("[check]\nbaseline = 'known.json'\n")
    Path("deep").mkdir()
    monkeypatch.chdir("deep")
    code, _, err = baseline("../model.py")
    assert (code, err) == (0, "")


def test_wrong_ones(baseline: Check) -> None:
    code, _, err = baseline("--baseline", "absent.json", ".")
    assert code == 2
    assert "there is no such baseline; '--update-baseline' makes it" in err
    assert baseline("--update-baseline", ".")[0] == 2
    for text in ("", "[]", "{}", '{"version": 2, "files": {}}', '{"version": 1, "files": [1]}'):
        Path("known.json").write_text(text)
        with pytest.raises(SettingsError, match=r"known\.json"):
            read_baseline(Path("known.json"))
