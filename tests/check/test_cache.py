"""The cache: what is found in it is what a check would say, and damage is a miss."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from staticpy.check import Cache, Checker, Settings, Target, analysis, clean, core
from staticpy.check.serial import as_plain, from_plain
from staticpy.cli import main
from staticpy.diagnostics import Diagnostic, Severity
from tests.support.command import Check

BAD = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n"
CHAIN = BAD.replace("    class A: pass\n", "    x = g(x)\n").replace(
    "@", "def g(x: float):\n    class A: pass\n    return x\n\n@", 1
)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The files that were analysed, and not found in the cache."""
    monkeypatch.chdir(tmp_path)
    files: list[str] = []

    def analyse(text: str, file: str, *rest: str, **options: bool) -> analysis.Analysis:
        files.append(file)
        return analysis.analyse(text, file, *rest, **options)

    monkeypatch.setattr(core, "analyse", analyse)
    return files


def found(**settings: object) -> list[Diagnostic]:
    options = Settings(**settings)  # type: ignore[arg-type]
    checker = Checker(options, cache=Cache(Path("cache")))
    return list(checker.check(Target("model.py", True)).findings)


def entries() -> list[Path]:
    return sorted(path for path in Path("cache").glob("??/*") if path.is_file())


def test_a_file_is_analysed_once(runs: list[str]) -> None:
    Path("model.py").write_text(CHAIN)
    first = found()
    again = found()
    assert runs == ["model.py"]
    assert [as_plain(item) for item in again] == [as_plain(item) for item in first]
    assert [(item.message, item.help, item.span) for item in again] == [
        (item.message, item.help, item.span) for item in first
    ]


def test_settings_and_comments_are_applied_to_what_is_found(runs: list[str]) -> None:
    Path("model.py").write_text(BAD)
    assert len(found()) == 1
    assert found(ignore=("SPY104",)) == []
    assert len(runs) == 1


HALF_KNOWN = "import staticpy\n\n@staticpy.jit\ndef f(x):\n    return x\n"
"""A function that is checked in part, of which there is a note."""


@pytest.mark.parametrize(
    ("text", "settings", "unchecked"),
    [
        (HALF_KNOWN, {}, 1),
        (HALF_KNOWN, {"ignore": ("SPY615",)}, 0),
        (HALF_KNOWN, {"per_file_ignores": {"model.py": ("SPY615",)}}, 0),
        (HALF_KNOWN, {"severity": {"SPY615": Severity.WARNING}}, 0),
        (HALF_KNOWN.replace("x):", "x):  # staticpy: ignore[SPY615]"), {}, 0),
        (HALF_KNOWN + '"# staticpy: ignore[SPY615]"\n', {}, 1),
    ],
)
@pytest.mark.parametrize("is_verbose", [False, True])
def test_notes_are_counted_and_told_as_without_a_cache(
    text: str, settings: dict[str, object], unchecked: int, is_verbose: bool, runs: list[str]
) -> None:
    Path("model.py").write_text(text)
    cache = Cache(Path("cache"))
    checker = Checker(Settings(**settings), is_verbose=is_verbose, cache=cache)  # type: ignore[arg-type]
    first, again = (checker.check(Target("model.py", True)) for _ in range(2))
    assert runs == ["model.py"]
    assert first.unchecked == again.unchecked == unchecked
    assert list(map(as_plain, again.findings)) == list(map(as_plain, first.findings))
    assert (again.functions, len(again.hidden)) == (first.functions, len(first.hidden))


@pytest.mark.parametrize("what", ["content", "scope", "version"])
def test_what_another_answer_depends_on(
    what: str, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("model.py").write_text(BAD)
    found()
    if what == "content":
        Path("model.py").write_text(BAD + "\n")
    if what == "version":
        monkeypatch.setattr("sys.version", "3.99")
    found(scope="all" if what == "scope" else "decorated")
    assert len(runs) == 2


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "folder", "other"])
def test_damage_is_a_miss(damage: str, runs: list[str]) -> None:
    Path("model.py").write_text(BAD)
    expected = [item.code for item in found()]
    (entry,) = entries()
    data = entry.read_bytes()
    entry.unlink()
    if damage == "folder":
        entry.mkdir()
    else:
        flipped = bytes([*data[:40], data[40] ^ 1, *data[41:]])
        content = {"empty": b"", "short": data[:-1], "flipped": flipped, "other": b"\x80\x04."}
        entry.write_bytes(content[damage])
    assert [item.code for item in found()] == expected
    assert len(runs) == 2


def test_every_flipped_bit_is_a_miss(runs: list[str]) -> None:
    Path("model.py").write_text(BAD)
    found()
    (entry,) = entries()
    data = entry.read_bytes()
    cache, file = Cache(Path("cache")), Path("model.py").read_bytes()
    options = Checker(Settings()).options
    assert cache.get(file, "model.py", options) is not None
    for at in range(len(data)):
        entry.write_bytes(bytes([*data[:at], data[at] ^ (1 << at % 8), *data[at + 1 :]]))
        assert cache.get(file, "model.py", options) is None


def test_a_folder_that_cannot_be_written(runs: list[str]) -> None:
    Path("model.py").write_text(BAD)
    Path("cache").write_text("a file")
    assert len(found()) == len(found()) == 1


def test_tools_leave_it_alone(runs: list[str]) -> None:
    Path("model.py").write_text(BAD)
    found()
    assert Path("cache/.gitignore").read_text() == "*\n"
    assert Path("cache/CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f0")
    assert not list(Path("cache").rglob("*.new"))


def test_any_diagnostic_comes_back() -> None:
    result = Checker(Settings(), is_verbose=True).check_text(CHAIN, "model.py")
    assert result.findings
    for item in result.findings:
        plain = json.loads(json.dumps(as_plain(item)))
        back = from_plain(plain)
        assert as_plain(back) == as_plain(item)
        assert (back.message, back.help, back.span) == (item.message, item.help, item.span)


def test_clean(check: Check) -> None:
    Path("model.py").write_text(BAD)
    check("model.py")
    assert len(list(Path(".staticpy_cache").glob("??/*"))) == 1
    check("--no-cache", "--cache-dir", "elsewhere", "model.py")
    assert not Path("elsewhere").exists()
    assert main(["clean"]) == 0
    assert not Path(".staticpy_cache").exists()


def test_clean_removes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "mine").touch()
    assert clean(tmp_path) is None
    assert (tmp_path / "ab" / "mine").exists()
    (tmp_path / "CACHEDIR.TAG").write_text("Signature: of another tool")
    assert clean(tmp_path) is None
    (tmp_path / "cd").symlink_to(tmp_path)
    (tmp_path / "CACHEDIR.TAG").write_text("# Caches of staticpy check")
    (tmp_path / "notes.txt").touch()
    assert clean(tmp_path) == 1
    assert (tmp_path / "notes.txt").exists()


def test_a_verdict_that_depends_on_another_file(
    runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given only while that file holds the same, and while one that is missing is."""
    counted = core.analyse

    def analyse(text: str, file: str, *rest: str, **options: bool) -> analysis.Analysis:
        found = counted(text, file, *rest, **options)
        return replace(found, read=["layer.py", "missing.py"])

    monkeypatch.setattr(core, "analyse", analyse)
    Path("model.py").write_text(BAD)
    steps = [
        lambda: Path("layer.py").write_text("a = 1\n"),
        lambda: Path("layer.py").write_text("a = 2\n"),
        lambda: Path("missing.py").write_text(""),
        lambda: Path("layer.py").unlink(),
    ]
    for number, step in enumerate(steps, 1):
        step()
        assert len(found()) == len(found()) == 1
        assert len(runs) == number
